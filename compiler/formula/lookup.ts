import { suggest } from "../diagnostics/suggest.js";
import type { FoundTable, Range, TableRow } from "../ir.js";
import { isNumber, NUMBER, STRING, UNKNOWN } from "../types/field-type.js";
import { fitOf, typeWords } from "../types/kinds.js";
import { CELL_ERROR } from "./elsewhere.js";
import type { Call, FormulaFunction } from "./function.js";
import type { Expression } from "./tree.js";
import { calling, clipped, constantOf, literal, type Typed } from "./typed.js";

interface Columns {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  readonly isWorksheet: boolean;
}

/** Rows that become a part of a module. */
const MOST_ROWS = 10_000;

/** Zeros in front, as in a postcode, are no part of a number: nobody computes with them. */
const NUMBER_CELL = /^ *[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? *$/;

const cellsOf = (rows: Columns["rows"], column: number): readonly string[] =>
  rows.map(({ cells }) => cells[column] ?? "");

/** A column of numbers alone has numbers, any other has texts. */
const areNumbers = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => NUMBER_CELL.test(cell));

/** A table with one row, which gives the same types. */
export function sampleOf({ rows: [header, ...rows] }: Extract<FoundTable, { rows: unknown }>): FoundTable {
  if (header === undefined) return { rows: [], isWorksheet: false };
  const cells = header.cells.map((_, column) => (areNumbers(cellsOf(rows, column)) ? "0" : "a"));
  return { rows: [header, { cells, number: header.number + 1 }], isWorksheet: false };
}

function checkLookup(call: Call): Typed {
  const { checker, tree, facts } = call;
  const [first, file, column, near] = tree.args as readonly [Expression, Expression, Expression, Expression?];
  const value = checker.needSet(checker.check(first, facts), null);
  const name = constantText(call, file, 'the name of a table stands in quotes, as in "tariff.csv"');
  const wanted = constantText(call, column, 'the name of a column stands in quotes, as in "price"');
  const nearest = near === undefined ? false : constantTruth(call, near);
  if (value.isBroken || name === null || wanted === null || nearest === null)
    return checker.broken(tree, facts);
  const at = { at: tree, facts };
  const found = checker.table(name);
  if (found === null) return checker.made(calling("asText", value.tree, literal(name)), UNKNOWN, at);
  const columns = columnsOf(call, found, { at: file, name });
  const index = columns === null ? -1 : columnNamed(call, columns, { at: column, name, wanted });
  if (columns === null || index < 0 || holdsErrors(call, columns, index, { at: file, name }))
    return checker.broken(tree, facts);
  const key = keyOf(call, columns, { value, name, nearest });
  if (key === null) return checker.broken(tree, facts);
  if (columns.isWorksheet) return inRows(call, columns, { key, index, name, nearest });
  const options = calling(
    "{}",
    ...[literal("key"), literal(columns.header[0] ?? ""), literal("column"), literal(wanted)],
    ...(nearest ? [literal("nearest"), literal(true)] : []),
  );
  const looked = calling("lookup", calling("tables"), literal(name), key.tree, options);
  const isNumeric = areNumbers(cellsOf(columns.rows, index));
  const made = checker.made(
    isNumeric ? calling("toNumber", looked) : looked,
    isNumeric ? NUMBER : STRING,
    at,
  );
  return { ...made, textSince: numbersWanted(columns, index, name) };
}

/** A worksheet is a part of the workbook that the sheet stands in, so its rows become a part of the graph. */
function inRows(
  { checker, tree, facts }: Call,
  columns: Columns,
  wanted: { readonly key: Typed; readonly index: number; readonly name: string; readonly nearest: boolean },
): Typed {
  const { key, index, name, nearest } = wanted;
  const [keys, cells] = [cellsOf(columns.rows, 0), cellsOf(columns.rows, index)];
  // A text that is looked up is compared with the text of the cells, also where all of them are digits.
  const [areKeys, isNumeric] = [isNumber(key.type), areNumbers(cells)];
  const pairs = keys.map((cell, i) => {
    const given = cells[i] ?? "";
    return [areKeys ? Number(cell) : cell, isNumeric ? Number(given) : given] as const;
  });
  const more = nearest ? [literal(true)] : [];
  const looked = calling("lookupRow", { is: "rows", rows: pairs }, literal(name), key.tree, ...more);
  const made = checker.made(looked, isNumeric ? NUMBER : STRING, { at: tree, facts });
  return { ...made, textSince: numbersWanted(columns, index, name) };
}

/** The cell that makes a column text, where others of it are numbers or digits. */
function textSince({ rows }: Columns, column: number, table: string): string | null {
  const cells = cellsOf(rows, column);
  const at = cells.findIndex((cell) => !NUMBER_CELL.test(cell));
  const cell = cells[at];
  if (cell === undefined || !cells.some((one) => /^\s*[\d.+-]/.test(one))) return null;
  return `row ${rows[at]?.number} of ${table} ${cell.trim() === "" ? "is empty there" : `holds "${clipped(cell)}"`}`;
}

/** What to write in a column that is to be computed with. */
function numbersWanted(columns: Columns, column: number, table: string): string | null {
  const since = textSince(columns, column, table);
  return since === null ? null : `${since}: write numbers in all of its cells, with a point`;
}

function constantText({ checker, facts }: Call, tree: Expression, help: string): string | null {
  const value = constantOf(checker.check(tree, facts));
  if (typeof value === "string" && value !== "") return value;
  checker.report("bad-formula", tree, `${clipped(checker.shown(tree))} is not meant here`, help);
  return null;
}

function constantTruth({ checker, facts }: Call, tree: Expression): boolean | null {
  const value = constantOf(checker.check(tree, facts));
  if (typeof value === "boolean") return value;
  const help = "write TRUE for the last row that is not greater, or leave it out";
  checker.report("bad-formula", tree, `${clipped(checker.shown(tree))} is not meant here`, help);
  return null;
}

interface Named {
  readonly at: Range;
  readonly name: string;
}

function columnsOf(call: Call, table: FoundTable, { at, name }: Named): Columns | null {
  const bad = (why: string, help: string | null): null => {
    call.checker.report("bad-table", at, `${name} is no table: ${why}`, help);
    return null;
  };
  if ("missing" in table) return noTable(call, table, { at, name });
  const { isWorksheet } = table;
  const [header, ...all] = table.rows;
  const names = (header?.cells ?? []).map((cell) => cell.trim());
  const rows = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const twice = names.find((cell, i) => cell !== "" && names.indexOf(cell) !== i);
  if ((names[0] ?? "") === "") return bad("its first column has no name", null);
  if (twice !== undefined) return bad(`two columns are named ${twice}`, null);
  if (isWorksheet && rows.length > MOST_ROWS)
    return bad(`it has more than ${MOST_ROWS} rows`, "keep it as a CSV file in the data folder");
  return rows.length === 0 ? bad("it has no rows", null) : { header: names, rows, isWorksheet };
}

function noTable(
  { checker }: Call,
  { missing, meant = null }: Extract<FoundTable, { missing: string }>,
  { at, name }: Named,
): null {
  const message = `${name} is no table: ${missing}`;
  const elsewhere = "a table is a CSV file in the data folder, or a worksheet of the same workbook";
  const help = meant === null ? elsewhere : `did you mean "${meant}"?`;
  checker.report("bad-table", at, message, help, meant === null ? undefined : quotedFix(meant));
  return null;
}

const quotedFix = (text: string) => ({ text: `"${text.replaceAll('"', '""')}"`, safe: false });

function columnNamed(
  { checker }: Call,
  { header }: Columns,
  { at, name, wanted }: Named & { readonly wanted: string },
): number {
  const index = header.indexOf(wanted);
  if (index >= 0) return index;
  const near = suggest(wanted, header);
  const help = near === null ? `its columns are ${header.slice(0, 8).join(", ")}` : `did you mean "${near}"?`;
  const fix = near === null ? undefined : quotedFix(near);
  checker.report("bad-table", at, `${name} has no column ${wanted}`, help, fix);
  return index;
}

const WHOLE_ERROR = new RegExp(`^${CELL_ERROR.source}$`);
const isError = (cell: string): boolean => WHOLE_ERROR.test(cell);

/** True after a report: a cell of the two columns that are read holds an error in place of a value. */
function holdsErrors({ checker }: Call, { rows }: Columns, index: number, { at, name }: Named): boolean {
  for (const { cells, number } of rows) {
    const error = [cells[0], cells[index]].map((cell) => cell?.trim() ?? "").find(isError);
    if (error === undefined) continue;
    const help = "mend the formula of that cell, and save the table";
    checker.report("bad-table", at, `row ${number} of ${name} holds the error ${error}`, help);
    return true;
  }
  return false;
}

/** The value that is looked up, of the type of the first column. Where the last row counts, rows must ascend. */
function keyOf(
  { checker }: Call,
  columns: Columns,
  { value, name, nearest }: { readonly value: Typed; readonly name: string; readonly nearest: boolean },
): Typed | null {
  const { header, rows } = columns;
  const keys = cellsOf(rows, 0);
  const isNumeric = areNumbers(keys);
  const late = nearest ? fallAt(keys, isNumeric) : -1;
  if (late >= 0) {
    const message = `row ${rows[late]?.number} of ${name}: ${clipped(keys[late] ?? "")} comes after ${clipped(keys[late - 1] ?? "")}`;
    checker.report("bad-table", value.at, message, "with TRUE, rows must ascend by their first column");
    return null;
  }
  if (!isNumeric && isNumber(value.type)) {
    const shown = clipped(checker.shown(value.at));
    const message = `${shown} is ${typeWords(value.type)}, the column ${header[0]} of ${name} holds text`;
    const since = textSince(columns, 0, name);
    const help = `write ${shown} & ""${since === null ? "" : `, since ${since}`}`;
    checker.report("formula-type", value.at, message, help);
    return null;
  }
  // A text that looks like a number, such as a postcode, is looked up as text.
  const isText = !nearest && fitOf(value.type, "text") === "all";
  const needed = isText ? value : checker.need(value, isNumeric ? "number" : "text", "LOOKUP");
  return needed.isBroken ? null : needed;
}

/** The first row that is less than the one above it; -1 when all ascend. */
function fallAt(keys: readonly string[], isNumeric: boolean): number {
  return keys.findIndex((key, i) => {
    const above = keys[i - 1];
    if (above === undefined) return false;
    return isNumeric ? Number(key) < Number(above) : key.toLowerCase() < above.toLowerCase();
  });
}

export const LOOKUP: FormulaFunction = {
  name: "LOOKUP",
  signature: 'LOOKUP(value, "table.csv", "column", nearest)',
  about:
    "A cell of a table, which is a file or a worksheet: of the row whose first cell is the value; with TRUE, of the last row that is not greater.",
  example: ['LOOKUP(12, "tariff.csv", "price", TRUE)', "4.9"],
  least: 3,
  most: 4,
  check: checkLookup,
};
