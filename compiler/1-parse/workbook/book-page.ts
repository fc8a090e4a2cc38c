import type { Problems } from "../../diagnostics/collect.js";
import type { Edit } from "../../diagnostics/diagnostic.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Page, Place, Range } from "../../ir.js";
import { type Format, findFormat, type Vocabulary } from "../header/find-header.js";
import { indexOf } from "../text/page.js";
import { cellName, located } from "../text/places.js";
import { type Cell, cellText } from "../text/scan.js";
import type { CellRange } from "./cell-names.js";
import { withNames } from "./formula-text.js";
import { BOOK_LIMITS } from "./limits.js";
import { pageCell } from "./page-cells.js";
import type { BadCell } from "./refusal.js";
import type { Workbook, Worksheet } from "./worksheet.js";

/** What of a workbook is read as a sheet, or why nothing is. */
export type BookPage =
  | { readonly kind: "worksheet"; readonly worksheet: Worksheet }
  | Extract<Workbook, { readonly kind: "bad" }>
  /** No worksheet has the columns of a sheet: the names of those that were looked at. */
  | { readonly kind: "none"; readonly looked: readonly string[] };

/** Reports why nothing of a workbook is read. */
export function reportBook(
  book: Exclude<BookPage, { readonly kind: "worksheet" }>,
  { required, wanted }: Vocabulary<string>,
  file: string,
  problems: Problems,
): void {
  const where = { place: book.kind === "bad" && book.at !== null ? badPlace(file, book.at) : null };
  if (book.kind === "none") {
    const params = { columns: required, headerRow: null, required: wanted, looked: book.looked };
    problems.report("missing-column", params, where);
  } else if (book.code === "bad-workbook") problems.report("bad-workbook", { why: book.why }, where);
  else problems.report("sheet-too-large", { what: book.why, limit: book.limit }, where);
}

function badPlace(file: string, { worksheet, row, column }: BadCell): Place {
  const [line, from] = [row + 1, column + 1];
  const cell = cellName(column, row);
  return { file, line, column: from, endLine: line, endColumn: from, cell, worksheet };
}

interface Columns {
  readonly header: number;
  readonly graph: number;
  readonly agent: number;
  readonly prompt: number;
  readonly inputs: number;
  /** The columns of the setting `if`. */
  readonly conditions: readonly number[];
}

/** Agents whose prompt is a formula. */
const FORMULA_AGENTS = new Set(["formula", "calculate", "expression"]);
/** The column of the setting that is a formula. */
const CONDITION = "contextif";

function columnsOf({ header, vocabulary }: Format<string>): Columns | null {
  if (header === null) return null;
  const column = (name: string): number => header.cells.findIndex((cell) => vocabulary.named(cell) === name);
  const folded = header.cells.map((cell) => foldName(cell).replaceAll(".", ""));
  return {
    header: header.record,
    graph: column("graph_name"),
    agent: column("agent_type"),
    prompt: column("prompt"),
    inputs: column("input_fields"),
    conditions: folded.flatMap((name, at) => (name === CONDITION ? [at] : [])),
  };
}

/**
 * The text of a worksheet's page as a sheet means it: a name that stands in merged cells stands in each of their rows,
 * and the prompt of a node that computes is its formula. Null where a name or a formula of many rows makes it too large.
 */
export function preparedText(worksheet: Worksheet, vocabulary: Vocabulary<string>): string | null {
  const { page: text, merges, formulas } = worksheet;
  if (merges.length === 0 && formulas.size === 0) return text;
  const columns = columnsOf(findFormat(text, vocabulary, ","));
  if (columns === null) return text;
  const page: Page = { file: "", text, delimiter: ",", start: 0 };
  const { records, recordAt } = indexOf(page);
  const graphs = graphMerges(merges, columns);
  const edits: Edit[] = [];
  let merge = 0;
  let name = "";
  const meant = createMeant();
  let room: number = BOOK_LIMITS.pageText - text.length;
  const put = (cell: Cell | undefined, fresh: string): void => {
    if (cell === undefined) return;
    room -= fresh.length;
    edits.push({ start: cell.start, end: cell.end, text: pageCell(fresh) });
  };
  for (let record = columns.header + 1; record < records.length; record++) {
    const cells = recordAt(record)?.cells ?? [];
    if (cells.length < 2) continue;
    while ((graphs[merge]?.bottom ?? Infinity) < record) merge++;
    const covering = graphs[merge];
    if (covering?.top === record) name = textOf(text, cells[columns.graph]);
    else if (covering !== undefined && covering.top < record) put(cells[columns.graph], name);
    for (const column of formulaColumns(text, cells, columns)) {
      const formula = formulas.get(cellName(column, record));
      if (formula === undefined) continue;
      put(
        cells[column],
        `=${meant(typeof formula === "string" ? formula : "", textOf(text, cells[columns.inputs]))}`,
      );
    }
    if (room < 0) return null;
  }
  return edited(text, edits);
}

/** Excel holds no longer one. It is refused, whatever its names mean. */
const LONGEST = 8192;

/** Gives the formula of each row the names of its inputs. Rows that share a formula stand one after the other. */
function createMeant(): (formula: string, inputs: string) => string {
  let last = { formula: "", inputs: "", meant: "" };
  return (formula, inputs) => {
    if (formula.length > LONGEST) return formula;
    if (formula !== last.formula || inputs !== last.inputs)
      last = { formula, inputs, meant: withNames(formula, inputs) };
    return last.meant;
  };
}

/** Merges of the column of graph names that go downwards; of those that overlap, the first. */
function graphMerges(merges: readonly CellRange[], { graph }: Columns): readonly CellRange[] {
  const downwards = merges.filter(({ left, top, bottom }) => left === graph && bottom > top);
  const sorted = [...downwards].sort((a, b) => a.top - b.top);
  return sorted.filter(({ top }, i) => top > (sorted[i - 1]?.bottom ?? -1));
}

const textOf = (text: string, cell: Cell | undefined): string =>
  cell === undefined ? "" : cellText(text, cell);

/** The columns of a row whose text is a formula. */
function formulaColumns(text: string, cells: readonly Cell[], columns: Columns): readonly number[] {
  const { agent, prompt, conditions } = columns;
  const type = foldName(textOf(text, cells[agent])).replace(/agent$/, "");
  return FORMULA_AGENTS.has(type) && prompt >= 0 ? [prompt, ...conditions] : conditions;
}

function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: put } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), put);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Reports what only a worksheet can have: formulas without a value, and merged cells that mean nothing here. */
export function reportCells(
  page: Page,
  worksheet: Worksheet,
  format: Format<string>,
  problems: Problems,
): void {
  const columns = columnsOf(format);
  reportFormulas(page, worksheet, columns, problems);
  const top = columns?.header ?? -1;
  const graph = columns?.graph ?? -1;
  const { records, recordAt } = indexOf(page);
  const isEmpty = (record: number): boolean =>
    (recordAt(record)?.cells ?? []).every(({ from, to }) => from === to);
  for (const { top: first, left, bottom, right } of worksheet.merges) {
    const isGraph = left === graph && right === graph;
    if (isGraph || first <= top || first >= records.length || isEmpty(first)) continue;
    const cells = `${cellName(left, first)}:${cellName(right, bottom)}`;
    const whole: Range = { start: 0, end: 0 };
    problems.report("merged-cells", { cells }, located(page, { record: first, column: left, ...whole }));
  }
}

/** Names of cells would move with each row, and a formula here has names of inputs. */
const FILLED = {
  cells: {
    message: "the cell was filled from another cell, whose formula names cells",
    help: "write it in each row, with the names of inputs",
  },
  nothing: {
    message: "the cell was filled from another cell, whose formula is not there any more",
    help: "write it in this cell",
  },
};

function reportFormulas(
  page: Page,
  { formulas, valueless }: Worksheet,
  columns: Columns | null,
  problems: Problems,
): void {
  const shared = [...formulas].flatMap(([name, formula]) => (typeof formula === "string" ? [] : [name]));
  if (valueless.length + shared.length === 0) return;
  const missing = new Set([...valueless, ...shared]);
  const { records, recordAt } = indexOf(page);
  const without = new Set(valueless);
  for (let record = 0; record < records.length; record++) {
    const cells = recordAt(record)?.cells ?? [];
    const meant =
      columns === null || record <= columns.header ? [] : formulaColumns(page.text, cells, columns);
    for (let column = 0; column < cells.length; column++) {
      const name = cellName(column, record);
      if (!missing.has(name)) continue;
      const isFormula = meant.includes(column);
      const formula = formulas.get(name);
      const filled = isFormula && typeof formula === "object" ? FILLED[formula.filledFrom] : null;
      if (filled === null && (isFormula || !without.has(name))) continue;
      const span = { record, column, start: 0, end: 0 };
      if (filled !== null) problems.report("bad-formula", filled, located(page, span));
      else problems.report("formula-without-value", {}, located(page, span));
    }
  }
}
