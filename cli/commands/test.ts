import { resolve } from "node:path";
import type { Project } from "../../runtime/config/folders.js";
import { createRedactor, redactLog } from "../../runtime/runs/redact.js";
import { percentOf } from "../../runtime/testing/coverage.js";
import { openTests } from "../../runtime/testing/open-tests.js";
import { createTestRunner, type TestOptions } from "../../runtime/testing/run-tests.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { askedFormat, countText, tellProblems } from "../report.js";
import { createCancellation } from "../run/cancellation.js";
import { createLog } from "../run/options.js";
import type { TestPath } from "../sheets/collect.js";
import { chooseCases } from "../test/choose.js";
import { findTests, untestedSheets } from "../test/find.js";
import {
  allCoverage,
  hasErrors,
  type SheetOutcome,
  sourcesOf,
  type TestReport,
  totalsOf,
  type UnopenedSheet,
} from "../test/outcome.js";

interface Request {
  readonly filter: string | null;
  readonly coverage: boolean;
  readonly threshold: number | null;
  readonly update: boolean;
  readonly yes: boolean;
  readonly replay: string | null;
  readonly format: "text" | "json" | "junit";
}

export async function test(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const request = requestOf(given);
  const project = openProject(context);
  const { tests, untested } = await findTests(context, project, operands);
  const cancellation = createCancellation(context);
  await context.events.keepChildrenOffStdout();
  try {
    const options = await optionsOf(context, project, cancellation.signal, request.replay);
    const outcomes: SheetOutcome[] = [];
    const unopened: UnopenedSheet[] = [];
    for (const file of tests) {
      const outcome = await runSheet(file, context, request, options, cancellation.isInterrupted);
      if ("message" in outcome) unopened.push(outcome);
      else outcomes.push(outcome);
      if (cancellation.isInterrupted()) return EXIT.interrupted;
    }
    const isWhole = request.coverage && request.filter === null;
    const sheets = isWhole ? await untestedSheets(context, project, untested) : [];
    const code = await report(
      { outcomes, unopened, untested: sheets },
      context,
      request,
      cancellation.signal,
    );
    return unopened.length > 0 ? EXIT.usage : code;
  } finally {
    cancellation.end();
  }
}

function requestOf(given: Given): Request {
  const threshold = percent(given.text("threshold"));
  const coverage = given.flag("coverage");
  if (threshold !== null && !coverage) throw new UsageError("--threshold is for --coverage", "give both");
  const update = given.flag("update");
  if (given.flag("yes") && !update) throw new UsageError("--yes is for --update", "give both");
  if (update && threshold !== null)
    throw new UsageError("--update and --threshold cannot be used together", "give one of them");
  const format = askedFormat<Request["format"]>(given) ?? "text";
  if (update && format !== "text") throw new UsageError("--update shows a diff; it has no other format");
  const [filter, replay] = [given.text("filter"), given.text("replay")];
  return { filter, coverage, threshold, update, yes: given.flag("yes"), replay, format };
}

function percent(text: string | null): number | null {
  if (text === null) return null;
  const value = Number(text.replace(/\s*%$/, ""));
  if (text.trim() !== "" && value >= 0 && value <= 100) return value;
  throw new UsageError(`--threshold must be a number from 0 to 100, not ${JSON.stringify(text)}`);
}

async function optionsOf(
  context: Context,
  project: Project,
  signal: AbortSignal,
  replay: string | null,
): Promise<TestOptions> {
  const { cwd, env } = context;
  const redact = createRedactor(env, project);
  // Tests have their own report, so notes of agents need `--verbose`.
  const log = createLog({ ...context, note: context.detail, fail: context.detail });
  const options = { project, env, signal, log: redactLog(log, redact), redact };
  if (replay === null) return options;
  const { openCassette } = await import("../../runtime/llm/cassette.js");
  return { ...options, cassette: openCassette(resolve(cwd, replay), { shown: replay, redact }) };
}

/** A file that cannot be opened is reported here as well. */
async function runSheet(
  file: TestPath,
  context: Context,
  request: Request,
  options: TestOptions,
  isInterrupted: () => boolean,
): Promise<SheetOutcome | UnopenedSheet> {
  context.detail(`testing ${file.shown}`);
  const { env, encoding } = context;
  try {
    const tests = openTests(file, { project: options.project, env, encoding });
    const runner = createTestRunner(tests, options);
    const results = [];
    const choice = chooseCases(tests, request.filter);
    for (const one of choice.cases) {
      if (isInterrupted()) break;
      results.push(await runner.run(one));
    }
    const broken = tests.workflow.graphs.length === 0 ? tests.workflow.diagnostics : [];
    const diagnostics = [...choice.diagnostics, ...broken, ...runner.diagnostics()];
    // An invalid case counts as a failed one.
    const { unread } = choice;
    const isCovered = request.coverage && (request.filter === null || results.length > 0);
    return { tests, results, unread, diagnostics, coverage: isCovered ? runner.coverage() : [] };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return { file: file.shown, message: error.message };
  }
}

async function report(
  all: TestReport,
  context: Context,
  request: Request,
  signal: AbortSignal,
): Promise<number> {
  const { outcomes, unopened } = all;
  const diagnostics = outcomes.flatMap((one) => one.diagnostics);
  if (request.format !== "json") await tellProblems(diagnostics, sourcesOf(outcomes), context);
  const { passed, failed } = totalsOf(outcomes);
  const isBroken = outcomes.some(hasErrors);
  // A report without a case would look like one of cases that passed.
  const isTold = unopened.length > 0 && request.format !== "text";
  if (passed + failed === 0 && !isBroken && !isTold) return noCases(all, request.filter);
  const tooLow = belowThreshold(all, request.threshold);
  context.stdout.write(await formatted(all, context, request, tooLow));
  if (request.update) {
    const { updateSheets } = await import("../test/update.js");
    return updateSheets(outcomes, context, request.yes, signal);
  }
  for (const { message, help } of tooLow) context.fail(message, help);
  return failed > 0 || isBroken || tooLow.length > 0 ? EXIT.findings : EXIT.done;
}

function noCases({ outcomes, unopened }: TestReport, filter: string | null): number {
  // Each of them was reported before.
  if (outcomes.length === 0 && unopened.length > 0) return EXIT.usage;
  const what = filter === null ? "there is no case" : `no case holds ${JSON.stringify(filter)}`;
  throw new UsageError(`${what} in ${countText(outcomes.length, "test sheet")}`);
}

async function formatted(
  all: TestReport,
  context: Context,
  { format, coverage }: Request,
  tooLow: readonly UsageError[],
): Promise<string> {
  if (format === "json") return (await import("../test/json.js")).outcomeJson(all, coverage);
  if (format === "text") return (await import("../test/text.js")).formatOutcome(all, context);
  const { outcomeJunit } = await import("../test/junit.js");
  return outcomeJunit(
    all,
    tooLow.map(({ message }) => message),
  );
}

function belowThreshold(all: TestReport, threshold: number | null): readonly UsageError[] {
  if (threshold === null) return [];
  // A sheet with errors has a coverage of 0.
  const broken = threshold > 0 ? all.untested.filter((one) => one.hasErrors) : [];
  return [
    ...broken.map(
      ({ file }) =>
        new UsageError(`${file} has errors, and no test sheet`, `run: flowsheet validate ${file}`),
    ),
    ...allCoverage(all).flatMap(({ graph, nodes, edges, outcomes }) =>
      Object.entries({ nodes, edges, outcomes }).flatMap(([name, measure]) => {
        const share = percentOf(measure);
        if (share >= threshold) return [];
        const what = `graph ${JSON.stringify(graph)}: ${Math.floor(share)} % of its ${name} are covered`;
        return [new UsageError(`${what}, the threshold is ${threshold} %`)];
      }),
    ),
  ];
}
