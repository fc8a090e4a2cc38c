import { basename, dirname, resolve } from "node:path";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import { readProject } from "../config/folders.js";
import type { Logger, Services } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { host } from "../host.js";
import { openCassette } from "../llm/cassette.js";
import { createRedactor } from "../runs/redact.js";
import { formatFailure } from "./failure-text.js";
import { type OpenedTests, openTests } from "./open-tests.js";
import { createTestRunner } from "./run-tests.js";

/** The `test` function of vitest and most other test frameworks. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

export interface TestSheetOptions {
  /** `test` of vitest. Without it the global one is used, when globals are enabled. */
  readonly test?: TestFunction;
  /** The services in the context of agents. With `llm`, nodes without a mock ask that model. */
  readonly services?: Partial<Services>;
  /** A file of `flowsheet run --record`. A call without a recorded answer fails its case. */
  readonly replay?: string;
  /** The configuration file; by default, `flowsheet.yaml` is looked for upwards from the sheet. */
  readonly config?: string;
  /** The encoding of the sheets when they are not UTF-8. */
  readonly encoding?: string;
}

/** Registers a test for each case of a test sheet: `testSheet("support.test.csv", { test })`. */
export function testSheet(path: string, options: TestSheetOptions = {}): void {
  const { test = globalTest(), services = {}, replay, config = null, encoding = null } = options;
  const file = resolve(path);
  const { env } = host;
  const project = readProject(dirname(file), config, env);
  const tests = openTests({ path: file, shown: basename(path), named: true }, { project, env, encoding });
  if (tests.tests.diagnostics.some(({ severity }) => severity === "error")) {
    // The other cases still run.
    test(`${basename(path)} has no errors`, async () => {
      throw new Error(`\n${problemText(tests)}`);
    });
  }
  const redact = createRedactor(env, project);
  const cassette = replay === undefined ? {} : { cassette: openCassette(replay, { shown: replay, redact }) };
  const runner = createTestRunner(tests, { project, services, ...cassette, log: silent, redact, env });
  for (const one of tests.tests.cases) {
    test(`${one.graph.name}: ${one.name}`, async () => {
      const result = await runner.run(one);
      if (result.mismatches.length > 0) throw new Error(`\n${formatFailure(result, tests)}`);
    });
  }
}

const silence = (): void => {};
/** Log lines of agents would appear between test results. */
const silent: Logger = { debug: silence, info: silence, warn: silence, error: silence };

const problemText = ({ tests, text }: OpenedTests): string =>
  formatText(tests.diagnostics, new Map([[tests.file, text]]));

function globalTest(): TestFunction {
  const { test } = globalThis as { readonly test?: unknown };
  if (typeof test === "function") return test as TestFunction;
  throw new FlowsheetError(
    "test_missing",
    'testSheet needs the function that takes tests: testSheet(path, { test }) with import { test } from "vitest"',
  );
}
