import type { CellComment } from "hucre";
import type { Cell, CellStyle, ConditionalRule, DataValidation, RoundtripWorkbook, Sheet } from "hucre/xlsx";
import { cellName } from "../../compiler/1-parse/text/places.js";
import type { Severity } from "../../compiler/diagnostics/diagnostic.js";
import type { Remark } from "./remarks.js";

/** A choice of values for the cells of a column. */
export interface DropDown {
  readonly column: number;
  readonly values: readonly string[];
}

/** What is written into one worksheet. */
export interface Annotation {
  readonly worksheet: string;
  readonly remarks: readonly Remark[];
  /** Help in the cells of the header. */
  readonly headers: readonly Omit<Remark, "severity">[];
  readonly dropDowns: readonly DropDown[];
  /** The rows that drop-downs are for: both count from 0. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The line of a note below which all is ours. */
const MARK = "flowsheet";
/** The worksheet that holds the values of drop-downs: an inline list may have 255 characters only. */
const LISTS = "_flowsheet";
/** Always true: it tells a rule of ours from those of the author. */
const OUR_RULE = '"flowsheet"="flowsheet"';
const FILLS: { readonly [S in Severity]: string } = { error: "FFF4C7C3", warning: "FFFCE8B2" };

/** Takes all of ours out of a workbook, and leaves what is the author's. */
export function clearBook(book: RoundtripWorkbook): void {
  book.sheets = book.sheets.filter(({ name }) => name !== LISTS);
  for (const sheet of book.sheets) {
    for (const cell of sheet.cells?.values() ?? []) clearNote(cell);
    if (sheet.conditionalRules !== undefined)
      sheet.conditionalRules = sheet.conditionalRules.filter(
        ({ formula }) => ![formula].flat().some((one) => one?.includes(OUR_RULE)),
      );
    if (sheet.dataValidations !== undefined)
      sheet.dataValidations = sheet.dataValidations.filter(
        ({ formula1 }) => formula1?.includes(LISTS) !== true,
      );
  }
}

function clearNote(cell: Cell): void {
  const { comment } = cell;
  if (comment === undefined) return;
  const lines = comment.text.split("\n");
  const at = lines.indexOf(MARK);
  if (at < 0) return;
  if (at === 0) delete cell.comment;
  else cell.comment = { ...authorOf(comment), text: lines.slice(0, at).join("\n") };
}

const authorOf = ({ author }: CellComment): Pick<CellComment, "author"> =>
  author === undefined ? {} : { author };

/** Writes notes, colours and drop-downs into a workbook that was cleared. */
export function annotateBook(book: RoundtripWorkbook, annotations: readonly Annotation[]): void {
  const lists: (readonly string[])[] = [];
  for (const annotation of annotations) {
    const sheet = book.sheets.find(({ name }) => name === annotation.worksheet);
    if (sheet === undefined) continue;
    for (const { row, column, text } of [...annotation.headers, ...annotation.remarks])
      addNote(sheet, row, column, text);
    addColours(sheet, annotation.remarks);
    addDropDowns(sheet, annotation, lists);
  }
  if (lists.length === 0) return;
  const height = Math.max(...lists.map((list) => list.length));
  const rows = Array.from({ length: height }, (_, row) => lists.map((list) => list[row] ?? null));
  book.sheets.push({ name: LISTS, rows, veryHidden: true });
}

function addNote(sheet: Sheet, row: number, column: number, text: string): void {
  sheet.cells ??= new Map();
  const key = `${row},${column}`;
  const value = sheet.rows[row]?.[column] ?? null;
  const cell: Cell = sheet.cells.get(key) ?? { value, type: value === null ? "empty" : "string" };
  const own = cell.comment;
  const marked = own?.text.split("\n").includes(MARK) === true;
  const before = own === undefined ? MARK : marked ? `${own.text}\n` : `${own.text}\n${MARK}`;
  cell.comment = { ...(own === undefined ? { author: MARK } : authorOf(own)), text: `${before}\n${text}` };
  sheet.cells.set(key, cell);
}

function addColours(sheet: Sheet, remarks: readonly Remark[]): void {
  const rules = remarks.map(({ row, column, severity }, i): ConditionalRule => {
    const style: CellStyle = {
      fill: {
        type: "pattern",
        pattern: "solid",
        fgColor: { rgb: FILLS[severity] },
        bgColor: { rgb: FILLS[severity] },
      },
    };
    return { type: "expression", priority: i + 1, formula: OUR_RULE, style, range: cellName(column, row) };
  });
  sheet.conditionalRules = [...(sheet.conditionalRules ?? []), ...rules];
}

function addDropDowns(
  sheet: Sheet,
  { dropDowns, firstRow, lastRow }: Annotation,
  lists: (readonly string[])[],
): void {
  const own = (sheet.dataValidations ?? []).map(({ range }) => range);
  const made = dropDowns.flatMap(({ column, values }): readonly DataValidation[] => {
    const range = `${cellName(column, firstRow)}:${cellName(column, lastRow)}`;
    const letters = cellName(column, 0).slice(0, -1);
    // A choice of the author's for the column stays the only one.
    if (values.length === 0 || own.some((one) => new RegExp(`(?:^|[ $:])\\$?${letters}\\$?\\d`).test(one)))
      return [];
    const at = lists.push(values) - 1;
    const list = cellName(at, 0).slice(0, -1);
    const formula1 = `${LISTS}!$${list}$1:$${list}$${values.length}`;
    // Several values may stand in one cell, as in A|B: so nothing is refused.
    return [
      { type: "list", formula1, allowBlank: true, showErrorMessage: false, errorStyle: "warning", range },
    ];
  });
  sheet.dataValidations = [...(sheet.dataValidations ?? []), ...made];
}
