import { basename } from "node:path";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { patternFault } from "../../compiler/2-analyze/tests/pattern.js";
import type { Understanding } from "../../compiler/compile.js";
import { type TestUnderstanding, understandTests } from "../../compiler/understand-tests.js";
import { agentFacts } from "../agents/facts.js";
import type { Project } from "../config/folders.js";
import type { Environment } from "../host.js";
import { type SheetPath, spelledFile } from "../workflows/find-sheets.js";
import type { GraphSources } from "../workflows/open-graph.js";
import { readSheetFile, type SheetContent, understandContent } from "../workflows/read-sheet.js";
import { createSurroundings } from "../workflows/world.js";

export interface TestSources {
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
}

export interface OpenedTests {
  readonly path: string;
  readonly tests: TestUnderstanding;
  /** The text of the test sheet, even when it is not a valid one. */
  readonly text: string;
  readonly workflow: Understanding;
  readonly graphSources: GraphSources;
}

const ENDING = /\.test(\.csv)$/i;

type TestedPath = SheetPath & { readonly path: string };

/** The sheet of a test sheet: `support.csv` beside `support.test.csv`. Upper and lower case may differ. */
export function testedSheet({ path, shown }: TestedPath): TestedPath {
  const [usual, usualShown] = [path.replace(ENDING, "$1"), shown.replace(ENDING, "$1")];
  const real = spelledFile(usual) ?? usual;
  const folder = usualShown.slice(0, usualShown.length - basename(usual).length);
  return { path: real, shown: folder + basename(real), named: true };
}

/** Reads a test sheet and its sheet. Throws a WorkflowError when one cannot be opened. */
export function openTests(file: TestedPath, { project, env, encoding }: TestSources): OpenedTests {
  const content = readSheetFile(file);
  const sheet = testedSheet(file);
  // A mocked node needs no agent, so a missing agent only matters when a case reaches it.
  const about = { folders: project, env, encoding, sheets: [sheet], unknownAgent: "warning" } as const;
  const { worldOf, library } = createSurroundings(about);
  const reading = { shown: sheet.shown, encoding, world: worldOf(sheet) };
  const workflow = understandContent(readSheetFile(sheet), reading);
  const { root, agents } = project;
  return {
    path: file.path,
    workflow,
    graphSources: { root, agents, sheet, library },
    ...readTests(content, { file: file.shown, ...(encoding === null ? {} : { encoding }) }, workflow),
  };
}

function readTests(
  content: SheetContent,
  source: { readonly file: string; readonly encoding?: string },
  { graphs }: Understanding,
): Pick<OpenedTests, "tests" | "text"> {
  if (content.kind === "too-large") {
    const { diagnostics } = content.understanding;
    return { tests: { file: source.file, sheet: null, cases: [], diagnostics }, text: "" };
  }
  const { bytes } = content;
  const tests = understandTests({ ...source, bytes }, { graphs, agents: agentFacts, patternFault });
  return { tests, text: tests.sheet?.text ?? decode(bytes, source.encoding).text };
}
