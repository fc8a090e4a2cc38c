import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.js";
import type { Page } from "../../ir.js";
import type { SheetSource } from "../text/file-text.js";
import { indexOf, recordAtOffset } from "../text/page.js";
import { cellName } from "../text/places.js";

/**
 * Takes away fixes that would write over a formula: its value would be there again after the next calculation. A cell
 * that was filled from another one has no formula of its own, which was told when the cells were read.
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
  const isFilled = ({ code, graph, span }: Diagnostic): boolean =>
    code === "bad-formula" &&
    graph !== null &&
    span !== null &&
    formulas.get(cellName(span.column, span.record)) === null;
  return diagnostics.flatMap((one) => {
    if (isFilled(one)) return [];
    const { fix, span } = one;
    const isOwn = span !== null && formulas.has(cellName(span.column, span.record));
    return fix !== null && (isOwn || fix.edits.some(isOfFormula)) ? { ...one, fix: null } : one;
  });
}

function cellAtOffset(page: Page, offset: number): string {
  const record = recordAtOffset(page, offset);
  const cells = indexOf(page).recordAt(record)?.cells ?? [];
  return cellName(
    cells.findIndex(({ end }) => offset <= end),
    record,
  );
}
