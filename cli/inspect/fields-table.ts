import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { FieldIR, GraphIR } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { nodeName, readersOf } from "../../runtime/draw/describe.js";
import { fit, pad } from "./columns.js";

const CELL_LINES = 4;
const GAP = 2;

/** A cell's text, harmless, in the pieces between which it may be broken; spaces belong to the piece before. */
type Cell = readonly string[];

/** A graph's fields: their types, whether a caller gives them, and who writes and reads them. */
export function fieldsTable(graph: GraphIR, width: number, paint: Paint): readonly string[] {
  const fields = graph.fields.filter((field) => !setByFailure(field) || readersOf(graph, field).length > 0);
  if (fields.length === 0) return [];
  const head = ["field", "type", "caller gives", "written by", "read by"].map(one);
  const rows = fields.map((field) => cells(graph, field));
  const widths = share([head, ...rows], width);
  const lines = rows.flatMap((row) => tableRow(row, widths));
  return [...tableRow(head, widths).map((line) => paint("strong", line)), ...lines];
}

const one = (text: string): Cell => [visible(text)];

function cells(graph: GraphIR, field: FieldIR): readonly Cell[] {
  const { name, type, input, writers } = field;
  const names = (nodes: readonly number[]): Cell => {
    // A cell shows a few lines only, so the rest of a long list is never read.
    const shown = nodes.slice(0, 200).map((node) => visible(nodeName(graph, node)));
    return shown.length === 0 ? ["-"] : shown.map((each, i) => (i < shown.length - 1 ? `${each}, ` : each));
  };
  return [
    one(name),
    typeCell(visible(formatType(type))),
    one(input ?? "-"),
    setByFailure(field) ? ["failures"] : names(writers),
    names(readersOf(graph, field)),
  ];
}

/** Every failure sets `error`, without a node that writes it. */
const setByFailure = ({ name, writers }: FieldIR): boolean => name === "error" && writers.length === 0;

/** A union may be broken between its members, a choice between its values. */
const typeCell = (type: string): Cell => type.split(/(?<= \| )|(?<='\/)(?=')/);

/** Cuts the widest columns until all fit. */
function share(rows: readonly (readonly Cell[])[], width: number): readonly number[] {
  const widths = [0, 0, 0, 0, 0];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] as number, Math.min(needed(cell), width));
    });
  }
  const sum = (): number => widths.reduce((total, each) => total + each, GAP * (widths.length - 1));
  while (sum() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

const needed = (cell: Cell): number => cell.reduce((total, piece) => total + columnsOf(piece), 0);

function tableRow(row: readonly Cell[], widths: readonly number[]): readonly string[] {
  const columns = row.map((cell, i) => cellLines(cell, widths[i] as number));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    columns
      .map((lines, i) => pad(lines[at] ?? "", widths[i] as number))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** A cell's pieces on lines; what does not fit the allowed lines is counted. */
function cellLines(cell: Cell, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let first = 0;
  for (const [i, piece] of cell.entries()) {
    const text = columnsOf(piece.trimEnd()) > width ? fit(piece.trimEnd(), width) : piece;
    if (columnsOf(line + text.trimEnd()) <= width) line += text;
    else if (lines.length === CELL_LINES - 1) return [...lines, fit(`${cell.length - first} more`, width)];
    else {
      lines.push(line.trimEnd());
      line = text;
      first = i;
    }
  }
  return [...lines, line];
}
