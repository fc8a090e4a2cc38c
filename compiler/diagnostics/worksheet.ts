import type { Place, RecordSpan } from "../ir.js";

/** A worksheet of a workbook as part of a file's name: `support.xlsx!Triage`. */
const WORKSHEET = /^(.+?\.(?:xlsx|xlsm|ods|csv))!([^/\\]+)$/is;

/** The workbook and the worksheet that such a name means; null for any other name. */
export function worksheetNamed(file: string): { readonly book: string; readonly worksheet: string } | null {
  const [, book, worksheet] = WORKSHEET.exec(file) ?? [];
  return book === undefined || worksheet === undefined ? null : { book, worksheet };
}

/** The file itself, without the worksheet. */
export const fileItself = (file: string): string => worksheetNamed(file)?.book ?? file;

/** A worksheet's name as references have it: in quotes where it holds more than letters and digits. */
const referenceOf = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

/** `Triage!F3`, or `Triage` for a place in no cell. */
export const worksheetCell = (worksheet: string, cell: string | null): string =>
  cell === null ? referenceOf(worksheet) : `${referenceOf(worksheet)}!${cell}`;

/** The cell of a place with its worksheet; null where there is none. */
export const cellOfPlace = ({ cell, worksheet }: Pick<Place, "cell" | "worksheet">): string | null =>
  worksheet === undefined ? cell : worksheetCell(worksheet, cell);

/** A row as one line of text, and the stretch of it that is marked. */
export interface RowLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type RowLines = (file: string, page: string, span: RecordSpan) => RowLine;

const BETWEEN = " | ";

/** Finds rows in the pages of worksheets. Rows that are asked for in ascending order cost one pass in all. */
export function createRowLines(): RowLines {
  const last = new Map<string, { record: number; at: number }>();
  return (file, page, { record, column, start, end }) => {
    let known = last.get(file) ?? { record: 0, at: 0 };
    if (known.record > record) known = { record: 0, at: 0 };
    let { at } = known;
    for (let passed = known.record; passed < record && at < page.length; passed++)
      at = endOfRow(page, at) + 1;
    last.set(file, { record, at });
    return lineOf(cellsBetween(page, at, endOfRow(page, at)), { column, start, end });
  };
}

/** The offset of the line end of a row. A page is sound: each quote within a cell is doubled. */
function endOfRow(page: string, from: number): number {
  for (let at = from; ; ) {
    const end = page.indexOf("\n", at);
    if (end < 0) return page.length;
    const quote = page.indexOf('"', at);
    if (quote < 0 || quote > end) return end;
    const close = page.indexOf('"', quote + 1);
    if (close < 0) return page.length;
    at = close + 1;
  }
}

function cellsBetween(page: string, from: number, to: number): readonly string[] {
  const cells: string[] = [];
  for (let at = from; ; ) {
    const isQuoted = page[at] === '"';
    let end = isQuoted ? at + 1 : Math.min(to, indexOr(page, ",", at));
    if (isQuoted) {
      end = indexOr(page, '"', end);
      while (page[end + 1] === '"') end = indexOr(page, '"', end + 2);
      end++;
    }
    const raw = page.slice(at, end);
    cells.push(isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (page[end] !== "," || end >= to) return cells;
    at = end + 1;
  }
}

function indexOr(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

function lineOf(cells: readonly string[], { column, start, end }: Omit<RecordSpan, "record">): RowLine {
  const filled = cells.findLastIndex((cell) => cell !== "");
  const shown = cells.slice(0, Math.max(filled, column) + 1).map((cell) => cell.replace(/[\r\n]/g, "↵"));
  const before = shown.slice(0, column).reduce((sum, cell) => sum + cell.length + BETWEEN.length, 0);
  const last = Math.min(end, shown[column]?.length ?? 0);
  return { text: shown.join(BETWEEN), start: before + start, end: before + last };
}
