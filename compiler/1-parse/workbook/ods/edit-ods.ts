import { cellName } from "../../text/places.js";
import { bad } from "../refusal.js";
import type { CellEdit } from "../write-cells.js";
import { type OdsRow, type Repeated, walkOds } from "./walk.js";

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of `content.xml` with other texts in some cells. What stands for several rows or cells is taken apart. */
export function editOds(part: string, text: string, edits: readonly CellEdit[]): string {
  const prefixes = { office: prefixOf(text, "office"), text: prefixOf(text, "text") };
  const made: Replacement[] = [];
  for (const worksheet of new Set(edits.map((edit) => edit.worksheet ?? ""))) {
    const rows = walkOds(part, text, worksheet);
    const own = edits.filter((edit) => (edit.worksheet ?? "") === worksheet);
    made.push(
      ...rows.flatMap((row) => editRow(text, row, own, prefixes)),
      ...rowsBelow(text, rows, own, prefixes),
    );
  }
  let result = "";
  let at = 0;
  for (const { start, end, text: put } of made.sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}

interface Prefixes {
  readonly office: string;
  readonly text: string;
}

function prefixOf(text: string, space: string): string {
  const [, prefix] = new RegExp(`xmlns:([\\w.-]+)="[^"]*:${space}:1\\.0"`).exec(text) ?? [];
  return prefix ?? space;
}

/** A start tag that stands for so many. */
function repeated(open: string, of: "rows" | "columns", times: number): string {
  const prefix = tablePrefix(open);
  const alone = open.replace(new RegExp(`\\s[\\w.-]+:number-${of}-repeated=(?:"[^"]*"|'[^']*')`), "");
  return times === 1 ? alone : alone.replace(/>$/, ` ${prefix}number-${of}-repeated="${times}">`);
}

const tablePrefix = (open: string): string => /^<([\w.-]+:)?/.exec(open)?.[1] ?? "";

const copyOf = (
  text: string,
  { open, from, to, name }: Repeated,
  of: "rows" | "columns",
  times: number,
): string => (times === 0 ? "" : `${repeated(open, of, times)}${text.slice(from, to)}</${name}>`);

/** Puts what is made for some places between copies for all others that an element stands for. */
function apart(
  text: string,
  element: Repeated,
  of: "rows" | "columns",
  wanted: readonly number[],
  make: (at: number) => string,
): string {
  let result = "";
  let next = element.at;
  for (const at of wanted) {
    result += copyOf(text, element, of, at - next) + make(at);
    next = at + 1;
  }
  return result + copyOf(text, element, of, element.at + element.times - next);
}

const within = ({ at, times }: Repeated, place: number): boolean => place >= at && place < at + times;
const ascending = (places: Iterable<number>): readonly number[] => [...new Set(places)].sort((a, b) => a - b);

function editRow(
  text: string,
  row: OdsRow,
  edits: readonly CellEdit[],
  prefixes: Prefixes,
): readonly Replacement[] {
  const rows = ascending(edits.map((edit) => edit.row).filter((one) => within(row, one)));
  if (rows.length === 0) return [];
  const put = apart(text, row, "rows", rows, (at) => {
    const own = edits.filter((edit) => edit.row === at);
    return `${repeated(row.open, "rows", 1)}${cellsOf(text, row, own, prefixes)}</${row.name}>`;
  });
  return [{ start: row.start, end: row.end, text: put }];
}

function cellsOf(text: string, row: OdsRow, edits: readonly CellEdit[], prefixes: Prefixes): string {
  let result = "";
  let at = row.from;
  for (const cell of row.cells) {
    const columns = ascending(edits.map(({ column }) => column).filter((one) => within(cell, one)));
    if (columns.length === 0) continue;
    const make = (column: number): string =>
      cellXml(text, cell, edits.findLast((edit) => edit.column === column) as CellEdit, prefixes);
    result += text.slice(at, cell.start) + apart(text, cell, "columns", columns, make);
    at = cell.end;
  }
  const last = row.cells.at(-1);
  const width = last === undefined ? 0 : last.at + last.times;
  const beyond = edits.filter(({ column }) => column >= width);
  return result + text.slice(at, row.to) + newCells(beyond, width, tablePrefix(row.open), prefixes);
}

/** Cells to the right of all that are there. */
function newCells(edits: readonly CellEdit[], width: number, prefix: string, prefixes: Prefixes): string {
  let result = "";
  let next = width;
  for (const edit of [...edits].sort((a, b) => a.column - b.column)) {
    result +=
      emptyCells(edit.column - next, prefix) +
      filled(`<${prefix}table-cell>`, `${prefix}table-cell`, "", edit.text, prefixes);
    next = edit.column + 1;
  }
  return result;
}

const emptyCells = (times: number, prefix: string): string =>
  times === 0 ? "" : `<${prefix}table-cell ${prefix}number-columns-repeated="${times}"/>`;

function rowsBelow(
  text: string,
  rows: readonly OdsRow[],
  edits: readonly CellEdit[],
  prefixes: Prefixes,
): readonly Replacement[] {
  const last = rows.at(-1);
  if (last === undefined) throw bad("one of its worksheets holds no rows");
  const prefix = tablePrefix(text.slice(last.start, last.from));
  let next = last.at + last.times;
  let put = "";
  for (const row of ascending(edits.map((edit) => edit.row).filter((one) => one >= next))) {
    const gap = row - next;
    if (gap > 0)
      put += `<${prefix}table-row ${prefix}number-rows-repeated="${gap}">${emptyCells(1, prefix)}</${prefix}table-row>`;
    const own = edits.filter((edit) => edit.row === row);
    put += `<${prefix}table-row>${newCells(own, 0, prefix, prefixes)}</${prefix}table-row>`;
    next = row + 1;
  }
  return put === "" ? [] : [{ start: last.end, end: last.end, text: put }];
}

/** What a cell keeps besides its value: its format, what it spans, its choice of values. */
const KEPT = /^[\w.-]+:(?:style-name|number-(?:rows|columns)-spanned|content-validation-name|protected|id)$/;

function cellXml(
  text: string,
  cell: Repeated,
  { row, column, text: put }: CellEdit,
  prefixes: Prefixes,
): string {
  if (cell.name.endsWith("covered-table-cell"))
    throw bad(`its cell ${cellName(column, row)} is hidden by merged cells`);
  const kept = [...cell.open.matchAll(/\s([\w.:-]+)=(?:"[^"]*"|'[^']*')/g)].filter(([, name = ""]) =>
    KEPT.test(name),
  );
  const note = new RegExp(`<${prefixes.office}:annotation[\\s>].*?</${prefixes.office}:annotation>`, "s");
  const [notes = ""] = note.exec(text.slice(cell.from, cell.to)) ?? [];
  return filled(
    `<${cell.name}${kept.map(([attribute]) => attribute).join("")}>`,
    cell.name,
    notes,
    put,
    prefixes,
  );
}

function filled(open: string, name: string, notes: string, put: string, prefixes: Prefixes): string {
  if (put === "") return notes === "" ? open.replace(/>$/, "/>") : `${open}${notes}</${name}>`;
  const typed = open.replace(/>$/, ` ${prefixes.office}:value-type="string">`);
  const p = prefixes.text;
  const paragraphs = put.split("\n").map((line) => `<${p}:p>${lineXml(line, p)}</${p}:p>`);
  return `${typed}${notes}${paragraphs.join("")}</${name}>`;
}

/** Blanks that XML would join, and tabs, have elements of their own. */
const lineXml = (line: string, prefix: string): string =>
  line
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;")
    .replace(/^ +| +$| {2,}/g, (blanks) => `<${prefix}:s ${prefix}:c="${blanks.length}"/>`)
    .replaceAll("\t", `<${prefix}:tab/>`);
