import { decode } from "../../compiler/1-parse/encoding.js";
import type { Understanding } from "../../compiler/compile.js";
import { type TestUnderstanding, understandTests } from "../../compiler/understand-tests.js";
import { agentFacts } from "../agents/facts.js";
import type { Project } from "../config/folders.js";
import type { Environment } from "../host.js";
import type { SheetPath } from "../workflows/find-sheets.js";
import { readSheetFile, type SheetContent, understandContent } from "../workflows/read-sheet.js";
import { createWorlds } from "../workflows/world.js";

/** What test sheets are opened with. */
export interface TestSources {
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
}

/** A test sheet and the sheet that it tests, as they were read. */
export interface OpenedTests {
  readonly path: string;
  readonly tests: TestUnderstanding;
  /** The text of the test sheet, also when it is none. */
  readonly text: string;
  readonly workflow: Understanding;
}

const ENDING = /\.test(\.csv)$/i;

/** The sheet that a test sheet tests: `support.csv` beside `support.test.csv`. */
export const testedSheet = ({
  path,
  shown,
}: SheetPath & { readonly path: string }): SheetPath & { readonly path: string } => ({
  path: path.replace(ENDING, "$1"),
  shown: shown.replace(ENDING, "$1"),
  named: true,
});

/** Reads a test sheet and its sheet; throws a WorkflowError when one of them cannot be opened. */
export function openTests(file: SheetPath & { readonly path: string }, sources: TestSources): OpenedTests {
  const content = readSheetFile(file);
  const workflow = readWorkflow(testedSheet(file), sources);
  return { path: file.path, workflow, ...readTests(content, { file, workflow, sources }) };
}

function readWorkflow(
  sheet: SheetPath & { readonly path: string },
  { project, env, encoding }: TestSources,
): Understanding {
  // A mocked node needs no agent: one that is missing matters only when a case comes to it.
  const about = { folders: project, env, encoding, sheets: [sheet], unknownAgent: "warning" } as const;
  return understandContent(readSheetFile(sheet), {
    shown: sheet.shown,
    encoding,
    world: createWorlds(about)(sheet),
  });
}

interface Reading {
  readonly file: SheetPath;
  readonly workflow: Understanding;
  readonly sources: TestSources;
}

function readTests(
  content: SheetContent,
  { file: { shown }, workflow, sources: { encoding } }: Reading,
): Pick<OpenedTests, "tests" | "text"> {
  if (content.kind === "too-large") {
    const { diagnostics } = content.understanding;
    return { tests: { file: shown, sheet: null, cases: [], diagnostics }, text: "" };
  }
  const { bytes } = content;
  const source = { file: shown, bytes, ...(encoding === null ? {} : { encoding }) };
  const tests = understandTests(source, { graphs: workflow.graphs, agents: agentFacts });
  return { tests, text: tests.sheet?.text ?? decode(bytes, encoding ?? undefined).text };
}
