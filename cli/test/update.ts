import { readFileSync } from "node:fs";
import { edited } from "../../compiler/service/fix-rounds.js";
import { isWorksheetPath } from "../../runtime/workflows/workbooks.js";
import { EXIT } from "../failure.js";
import { readFileText } from "../fix/file-text.js";
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
  for (const outcome of outcomes) rewritten.push(...(await rewrite(outcome, context)));
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
async function rewrite({ tests, results }: SheetOutcome, context: Context): Promise<readonly Rewritten[]> {
  const {
    path,
    tests: { sheet, file },
  } = tests;
  if (sheet === null) return [];
  const anew = results.map((result) => ({ result, ...newExpectations(sheet, result) }));
  for (const { result, homeless } of anew)
    if (homeless.length > 0)
      context.note(
        `${file} has no column ${homeless.join(", ")}, which case ${JSON.stringify(result.one.name)} needs: add it to the header`,
      );
  const complete = anew.filter(({ edits, homeless }) => edits.length > 0 && homeless.length === 0);
  if (complete.length === 0) return [];
  if (isWorksheetPath(path)) {
    context.note(
      `${file} is left as it is: --update writes test sheets of text; change the cells in the workbook`,
    );
    return [];
  }
  const before = readFileSync(path);
  const read = readFileText(before, context.encoding);
  if ("refused" in read || read.text !== sheet.text) {
    context.note(
      `${file} is left as it is: ${"refused" in read ? read.refused : "it was changed meanwhile"}`,
    );
    return [];
  }
  const edits = complete.flatMap((one) => one.edits).sort((a, b) => a.start - b.start);
  const text = edited(read.text, edits);
  context.stdout.write("\n");
  await showDifference(file, read.text, text, context);
  const mended = complete.filter(({ result }) => !isPassed(result)).length;
  return [{ path, file, before, after: read.encode(text), cases: complete.length, mended }];
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
