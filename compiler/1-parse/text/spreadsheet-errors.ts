import { trimText } from "./white-space.js";

const ERRORS: ReadonlySet<string> = new Set(
  "#REF! #N/A #NAME? #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC!".split(" "),
);

/** One search of the whole text is cheaper than one for each cell. */
export const mayHoldErrors = (text: string): boolean => [...ERRORS].some((error) => text.includes(error));

/** The error of a spreadsheet that a cell holds instead of text; null when it holds none. */
export function spreadsheetError(cell: string): string | null {
  if (cell.length > 100 || !cell.includes("#")) return null;
  const text = trimText(cell);
  return ERRORS.has(text) ? text : null;
}
