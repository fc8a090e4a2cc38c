import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.js";
import type { Page } from "../../ir.js";
import type { SheetSource } from "../text/file-text.js";
import { indexOf, recordAtOffset } from "../text/page.js";
import { cellName } from "../text/places.js";

/**
 * Takes away fixes that would write over a formula: its value would be there again after the next calculation. A cell
 * that was filled from another one has no formula of its own: where that was told when it was read, it is all that is.
 */
export function spareFormulas(
  diagnostics: readonly Diagnostic[],
  source: SheetSource,
  page: Page | null,
): readonly Diagnostic[] {
  const book = "text" in source ? undefined : source.book;
  if (book?.kind !== "worksheet" || book.worksheet.formulas.size === 0) return diagnostics;
  const { formulas } = book.worksheet;
  const isOfFormula = ({ start }: Edit): boolean => page !== null && formulas.has(cellAtOffset(page, start));
  const isBad = ({ code, span }: Diagnostic): boolean => code === "bad-formula" && span !== null;
  const told = new Set(diagnostics.filter((one) => one.graph === null && isBad(one)).map(cellOf));
  return diagnostics.flatMap((one) => {
    if (one.graph !== null && isBad(one) && told.has(cellOf(one))) return [];
    const { fix } = one;
    const isOwn = formulas.has(cellOf(one));
    return fix !== null && (isOwn || fix.edits.some(isOfFormula)) ? { ...one, fix: null } : one;
  });
}

const cellOf = ({ span }: Diagnostic): string => (span === null ? "" : cellName(span.column, span.record));

function cellAtOffset(page: Page, offset: number): string {
  const record = recordAtOffset(page, offset);
  const cells = indexOf(page).recordAt(record)?.cells ?? [];
  return cellName(
    cells.findIndex(({ end }) => offset <= end),
    record,
  );
}
