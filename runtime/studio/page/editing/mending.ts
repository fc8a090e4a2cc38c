import { engine } from "../connection/present.js";
import type { Problem } from "../engine/messages.js";
import { chosen, problemList } from "../state.js";
import { edit, expectEdit, notice, settledText, shownRecords } from "./sheet-editing.js";
import type { Along } from "./text/own-edits.js";
import { editsTo } from "./text/text-edits.js";

/** Writes a text that the compiler has made of the present one. */
function take(text: string, said: string, along: Along | null = null): boolean {
  const records = shownRecords();
  if (records === null) return false;
  const mark = records.text.startsWith("\ufeff") ? "\ufeff" : "";
  const edits = editsTo(records, mark + text);
  if (edits === null) {
    notice.value = "This fix changes the rows of the whole file: flowsheet validate --fix writes it.";
    return false;
  }
  const isDone = edit(edits, along);
  if (isDone) notice.value = said;
  return isDone;
}

/** Writes the fix of a problem. */
export const mend = (problem: Problem): void => expectEdit(mendOne(problem));

async function mendOne({ id, fix }: Problem): Promise<void> {
  if (fix === null) return;
  await settledText();
  const before = shownRecords()?.text;
  const text = await engine.ask({ kind: "fix", problem: id });
  if (shownRecords()?.text === before) take(text, `Done: ${fix.title}.`);
}

/** Writes all fixes that cannot change what the sheet means. */
export const mendAllSafe = (): void => expectEdit(mendSafe());

async function mendSafe(): Promise<void> {
  await settledText();
  const before = shownRecords()?.text;
  const count = safeCount();
  const text = await engine.ask({ kind: "fix", problem: "safe" });
  if (shownRecords()?.text === before) take(text, `${count} fixes written. Ctrl+Z takes them back.`);
}

export const safeCount = (): number => problemList.value.filter(({ fix }) => fix?.safe === true).length;

/** The problems of the chosen cell that can be mended. */
export const mendable = (): readonly Problem[] =>
  problemList.value.filter(
    ({ span, fix }) =>
      fix !== null && span?.record === chosen.value?.record && span?.column === chosen.value?.column,
  );

/** Exchanges a name wherever it stands; false when that cannot be done. */
export async function renameTo(
  cell: { readonly record: number; readonly column: number },
  to: string,
  along: Along | null,
): Promise<boolean> {
  await settledText();
  const before = shownRecords()?.text;
  const renamed = await engine.ask({ kind: "rename", cell, to });
  return "text" in renamed && shownRecords()?.text === before && take(renamed.text, "", along);
}
