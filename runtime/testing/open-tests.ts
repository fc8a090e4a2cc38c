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
import { readSheetFile, type SheetContent, sourceOf, understandContent } from "../workflows/read-sheet.js";
import { filePathOf, isTestWorksheet, sheetsOfBook } from "../workflows/workbooks.js";
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
  /** Of a workbook with several sheets, what is known of all of them. */
  readonly workflow: Understanding;
  readonly sheets: readonly TestedSheet[];
}

/** A sheet whose graphs the cases run. */
export interface TestedSheet {
  readonly understanding: Understanding;
  readonly graphSources: GraphSources;
}

const ENDING = /\.test(\.csv)$/i;

type TestedPath = SheetPath & { readonly path: string };

/** The sheets of a test sheet: `support.csv` beside `support.test.csv`, or those of the same workbook. */
export function testedSheets(test: TestedPath): readonly [TestedPath, ...TestedPath[]] {
  const book = isTestWorksheet(test.path) ? filePathOf(test.path) : null;
  if (book === null) return [sheetBeside(test)];
  const worksheet = test.path.slice(book.length);
  const shown = test.shown.slice(0, -worksheet.length);
  const [first = book, ...others] = sheetsOfBook(book).flows;
  const named = (path: string): TestedPath => ({ path, shown: shown + path.slice(book.length), named: true });
  return [named(first), ...others.map(named)];
}

export const testedSheet = (test: TestedPath): TestedPath => testedSheets(test)[0];

/** Upper and lower case may differ. */
function sheetBeside({ path, shown }: TestedPath): TestedPath {
  const [usual, usualShown] = [path.replace(ENDING, "$1"), shown.replace(ENDING, "$1")];
  const real = spelledFile(usual) ?? usual;
  const folder = usualShown.slice(0, usualShown.length - basename(usual).length);
  return { path: real, shown: folder + basename(real), named: true };
}

/** Reads a test sheet and its sheet. Throws a WorkflowError when one cannot be opened. `content` is not on the disk yet. */
export function openTests(
  file: TestedPath,
  { project, env, encoding }: TestSources,
  content: SheetContent = readSheetFile(file),
): OpenedTests {
  const paths = testedSheets(file);
  // A mocked node needs no agent, so a missing agent only matters when a case reaches it.
  const about = { folders: project, env, encoding, sheets: paths, unknownAgent: "warning" } as const;
  const { worldOf, library } = createSurroundings(about);
  const { root, agents } = project;
  const sheets = paths.map((sheet): TestedSheet => {
    const reading = { shown: sheet.shown, encoding, world: worldOf(sheet) };
    const understanding = understandContent(readSheetFile(sheet), reading);
    return { understanding, graphSources: { root, agents, sheet, library } };
  });
  const workflow = together(sheets.map(({ understanding }) => understanding));
  return {
    path: file.path,
    workflow,
    sheets,
    ...readTests(content, { shown: file.shown, encoding }, workflow),
  };
}

function together(all: readonly Understanding[]): Understanding {
  const [first, ...others] = all as [Understanding, ...Understanding[]];
  if (others.length === 0) return first;
  return {
    ...first,
    graphs: all.flatMap(({ graphs }) => graphs),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

function readTests(
  content: SheetContent,
  about: Parameters<typeof sourceOf>[0],
  { graphs }: Understanding,
): Pick<OpenedTests, "tests" | "text"> {
  if (content.kind === "too-large") {
    const { diagnostics } = content.understanding;
    return { tests: { file: about.shown, sheet: null, cases: [], diagnostics }, text: "" };
  }
  const source = sourceOf(about, content);
  const tests = understandTests(source, { graphs, agents: agentFacts, patternFault });
  return { tests, text: tests.sheet?.text ?? decode(content.bytes, about.encoding ?? undefined).text };
}
