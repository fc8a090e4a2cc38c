import { readFileSync } from "node:fs";
import { edited } from "../../compiler/service/fix-rounds.js";
import { filePathOf, isWorksheetPath, openSheet } from "../../runtime/workflows/workbooks.js";
import { EXIT } from "../failure.js";
import { readFileText } from "../fix/file-text.js";
import { writtenCells } from "../fix/fix-worksheet.js";
import { replaceFile, showDifference } from "../fix/mend.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";
import { canAsk } from "../run/ask.js";
import { newExpectations } from "./new-expectations.js";
import { hasErrors, isPassed, type SheetOutcome } from "./outcome.js";

interface Rewritten {
  readonly path: string;
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly cases: number;
  /** The number of cases that had failed; the others had no expectation. */
  readonly mended: number;
}

/**
 * Makes the results of the runs the expectations of their cases. All other bytes of the sheets stay.
 * The diff is shown first. A result that is no expectation, such as an unmocked model, stays a failure.
 */
export async function updateSheets(
  outcomes: readonly SheetOutcome[],
  context: Context,
  yes: boolean,
  signal: AbortSignal,
): Promise<number> {
  const rewritten: Rewritten[] = [];
  for (const outcome of outcomes) rewritten.push(...(await rewrite(outcome, rewritten, context)));
  const updated = rewritten.reduce((sum, { cases }) => sum + cases, 0);
  if (updated === 0) {
    context.note("there is nothing to update");
    return outcomes.some(isBroken) ? EXIT.findings : EXIT.done;
  }
  if (!yes && !(await confirmed(context, updated, signal))) return EXIT.findings;
  let unwritten = false;
  for (const { path, file, before, after, cases } of rewritten) {
    const trouble = await replaceFile(path, before, after);
    if (trouble === null) context.tell("updated:", `${file}: ${countText(cases, "case")}`);
    else {
      unwritten = true;
      context.fail(`cannot write ${file}: ${trouble}`);
    }
  }
  const failing = outcomes.flatMap(({ results }) => results).filter((result) => !isPassed(result)).length;
  const left = failing - rewritten.reduce((sum, { mended }) => sum + mended, 0);
  if (left > 0) context.note(`${countText(left, "case")} cannot be updated: see above`);
  if (unwritten) return EXIT.usage;
  // No run can fix an invalid case.
  return left > 0 || outcomes.some(hasErrors) ? EXIT.findings : EXIT.done;
}

const isBroken = (outcome: SheetOutcome): boolean => !outcome.results.every(isPassed) || hasErrors(outcome);

/** The new content of a test sheet, after its difference was shown; none when nothing changes. */
async function rewrite(
  { tests, results }: SheetOutcome,
  earlier: readonly Rewritten[],
  context: Context,
): Promise<readonly Rewritten[]> {
  const { sheet, file } = tests.tests;
  const path = filePathOf(tests.path);
  if (sheet === null) return [];
  const anew = results.map((result) => ({ result, ...newExpectations(sheet, result) }));
  for (const { result, homeless } of anew)
    if (homeless.length > 0)
      context.note(
        `${file} has no column ${homeless.join(", ")}, which case ${JSON.stringify(result.one.name)} needs: add it to the header`,
      );
  const complete = anew.filter(({ edits, homeless }) => edits.length > 0 && homeless.length === 0);
  if (complete.length === 0) return [];
  // Two worksheets of one workbook are written one after the other.
  const before = earlier.findLast((one) => one.path === path)?.after ?? readFileSync(path);
  const edits = complete.flatMap((one) => one.edits).sort((a, b) => a.start - b.start);
  const text = edited(sheet.text, edits);
  const after = isWorksheetPath(path)
    ? rewriteCells(tests.path, before, sheet.text, text)
    : rewriteText(before, sheet.text, text, context);
  if ("refused" in after) {
    context.note(`${file} is left as it is: ${after.refused}`);
    return [];
  }
  context.stdout.write("\n");
  await showDifference(file, sheet.text, text, context);
  const mended = complete.filter(({ result }) => !isPassed(result)).length;
  return [{ path, file, before, after: after.bytes, cases: complete.length, mended }];
}

type NewBytes = { readonly bytes: Uint8Array } | { readonly refused: string };

function rewriteText(bytes: Uint8Array, was: string, text: string, { encoding }: Context): NewBytes {
  const read = readFileText(bytes, encoding);
  if ("refused" in read) return read;
  return read.text === was ? { bytes: read.encode(text) } : { refused: "it was changed meanwhile" };
}

/** Only the cells that change are written. */
function rewriteCells(path: string, bytes: Uint8Array, was: string, text: string): NewBytes {
  const opened = openSheet(path);
  const book = opened.kind === "bytes" ? opened.book : undefined;
  if (book?.kind !== "worksheet") return { refused: "it was changed meanwhile" };
  const written = writtenCells(bytes, book.worksheet, was, text);
  return "refused" in written || written.bytes !== null
    ? (written as NewBytes)
    : { refused: "its cells hold formulas, which are not written over" };
}

/** Asks on a terminal; without one nothing is written. */
async function confirmed(context: Context, cases: number, signal: AbortSignal): Promise<boolean> {
  const lines = canAsk(context) ? await context.stdin.openLines?.() : undefined;
  if (lines === undefined) {
    context.note("nothing was written: --yes writes it");
    return false;
  }
  try {
    const answer = await lines.ask(`Take this as what ${countText(cases, "case")} expect? [y/N] `, signal);
    return /^y(es)?$/i.test(answer?.trim() ?? "");
  } finally {
    lines.close();
  }
}
