import { parseSheet } from "../../compiler/1-parse/sheet.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { Diagnostic, Fix } from "../../compiler/diagnostics/diagnostic.js";
import type { Row, Sheet } from "../../compiler/ir.js";

/** What reading a sheet gave. */
export interface Reading {
  readonly sheet: Sheet | null;
  readonly rows: readonly Row[];
  readonly problems: readonly Diagnostic[];
  /** Each problem as `code line:column cell`, by place. */
  readonly found: readonly string[];
}

/** Reads a sheet from text (as UTF-8) or bytes. */
export function read(source: string | Uint8Array, encoding?: string): Reading {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const problems = new Problems("test.csv");
  const sheet = parseSheet(
    { file: "test.csv", bytes, ...(encoding === undefined ? {} : { encoding }) },
    problems,
  );
  const all = problems.sorted();
  return { sheet, rows: sheet?.rows ?? [], problems: all, found: all.map(summary) };
}

function summary({ code, place }: Diagnostic): string {
  return `${code} ${place?.line}:${place?.column} ${place?.cell}`;
}

/** The text that a place of the file covers, by its line and column alone. */
export function textAt(text: string, { place }: Pick<Diagnostic, "place">): string {
  if (place === null) return "";
  const offset = (line: number, column: number): number => lineStart(text, line) + column - 1;
  return text.slice(offset(place.line, place.column), offset(place.endLine, place.endColumn));
}

/** Where a line begins, counted the slow way. */
export function lineStart(text: string, line: number): number {
  const breaks = [...text.matchAll(/\r\n|\n|\r/g)];
  if (line === 1) return 0;
  const before = breaks[line - 2];
  return before === undefined ? text.length : before.index + before[0].length;
}

/** The text with a fix applied. */
export function applyFix(text: string, fix: Fix | null | undefined): string {
  const edits = [...(fix?.edits ?? [])].sort((a, b) => b.start - a.start);
  return edits.reduce(
    (result, { start, end, text: written }) => result.slice(0, start) + written + result.slice(end),
    text,
  );
}

/** A sheet of the usual columns with one row for each record given. */
export const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

/** A sheet of one row with the given cells, each quoted; the others are empty. */
export function oneRow(cells: { readonly [column: string]: string }): string {
  const all: { readonly [column: string]: string } = { graph_name: "G", node_name: "N", ...cells };
  const columns = Object.keys(all);
  const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  return `${columns.join(",")}\n${columns.map((column) => quote(all[column] ?? "")).join(",")}\n`;
}
