import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import { patternFault } from "../../compiler/2-analyze/tests/pattern.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { understandTests } from "../../compiler/understand-tests.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import type { Project } from "../../runtime/config/folders.js";
import { type OpenedTests, openTests } from "../../runtime/testing/open-tests.js";
import { readSheetFile, sourceOf } from "../../runtime/workflows/read-sheet.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import type { Checked, CheckedSheet } from "../commands/validate.js";
import type { Mending } from "../fix/mend.js";
import type { Context } from "../process/context.js";
import type { TestPath } from "../sheets/collect.js";

/** Checks a test sheet, and mends it first where that is asked for. */
export async function checkTests(
  test: TestPath,
  project: Project,
  context: Context,
  mending: Mending | null,
): Promise<Checked> {
  const { env, encoding } = context;
  try {
    const opened = openTests(test, { project, env, encoding });
    const { tests, text } = opened;
    const mended = mending === null ? "left" : await mendTests(test, opened, mending, context);
    if (typeof mended !== "string") return checkedOf(test, mended.understanding.diagnostics, mended.text);
    return { ...checkedOf(test, tests.diagnostics, text), unwritten: mended === "unwritten" };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return "unopened";
  }
}

const checkedOf = ({ shown }: TestPath, diagnostics: readonly Diagnostic[], text: string): CheckedSheet => ({
  understanding: { file: shown, sheet: null, graphs: [], diagnostics },
  text,
});

async function mendTests(
  sheet: TestPath,
  { workflow: { graphs } }: OpenedTests,
  mending: Mending,
  context: Context,
) {
  const content = readSheetFile(sheet);
  if (content.kind !== "bytes") return "left";
  const { mendSheet } = await import("../fix/mend.js");
  const tested = { graphs, agents: agentFacts, patternFault };
  const understand = (bytes: Uint8Array, book?: BookPage) =>
    understandTests(
      sourceOf({ shown: sheet.shown, encoding: null }, book === undefined ? { bytes } : { bytes, book }),
      tested,
    );
  return mendSheet({ ...content, sheet, understand }, mending, context);
}
