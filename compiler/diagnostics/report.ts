import type { GraphIR, Place } from "../ir.js";
import type { AnyDiagnostic, Edit, Severity } from "./diagnostic.js";
import { jsonText } from "./json-text.js";
import { indexLines, type LineIndex } from "./lines.js";
import { countOf, listed, type Sources } from "./listing.js";
import { fileItself, worksheetNamed } from "./worksheet.js";

/** A replacement by line and column, for tools that do not use offsets. */
export interface ReportEdit extends Omit<Place, "file" | "cell"> {
  readonly text: string;
}

export interface ReportFix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly ReportEdit[];
}

export interface ReportDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly cell: string | null;
  /** Null for a file of text; in a workbook the line is the row, and the column the cell's. */
  readonly worksheet: string | null;
  readonly graph: string | null;
  readonly node: string | null;
  readonly field: string | null;
  readonly help: string | null;
  readonly fix: ReportFix | null;
}

export interface ReportGraph {
  readonly name: string;
  readonly entry: string;
  readonly nodes: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The output of `validate --format json` and of the server. */
export interface Report {
  readonly valid: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly ReportDiagnostic[];
  readonly graphs: readonly ReportGraph[];
}

/** Diagnostics and graphs as JSON data. Totals count all, the list is cut. */
export function createReport(
  diagnostics: readonly AnyDiagnostic[],
  sources: Sources,
  graphs: readonly GraphIR[],
): Report {
  const totals = countOf(diagnostics);
  const shown = listed(diagnostics, sources).map((one) => withFewEdits(one, sources));
  const linesOf = indexLines(sources);
  return {
    valid: totals.errors === 0,
    ...totals,
    diagnostics: shown.map((diagnostic) => reportOne(diagnostic, linesOf(diagnostic.file))),
    graphs: graphs.map(reportGraph),
  };
}

/** An edit takes many more characters in the report than in the file. A fix with more edits is reported as one. */
const MOST_EDITS = 100;

function withFewEdits(diagnostic: AnyDiagnostic, sources: Sources): AnyDiagnostic {
  const { file, fix } = diagnostic;
  if (fix === null || fix.edits.length <= MOST_EDITS) return diagnostic;
  const source = sources.get(file) ?? "";
  const edits = [...fix.edits].sort((a, b) => a.start - b.start);
  const start = edits[0]?.start ?? 0;
  let end = start;
  const parts: string[] = [];
  for (const edit of edits) {
    if (edit.start < end) return diagnostic;
    parts.push(source.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return { ...diagnostic, fix: { ...fix, edits: [{ start, end, text: parts.join("") }] } };
}

export function placedEdit({ start, end, text }: Edit, { positionOf }: LineIndex): ReportEdit {
  const to = positionOf(end);
  return { ...positionOf(start), endLine: to.line, endColumn: to.column, text };
}

function reportOne(diagnostic: AnyDiagnostic, lines: LineIndex): ReportDiagnostic {
  const { code, severity, message, file, place, graph, node, column, label, help, fix } = diagnostic;
  return {
    code,
    severity,
    message,
    file: fileItself(file),
    line: place?.line ?? null,
    column: place?.column ?? null,
    cell: place?.cell ?? null,
    worksheet: place?.worksheet ?? worksheetNamed(file)?.worksheet ?? null,
    graph,
    node,
    field: column,
    help: help ?? label,
    fix:
      fix === null
        ? null
        : {
            ...fix,
            edits: place?.worksheet === undefined ? fix.edits.map((edit) => placedEdit(edit, lines)) : [],
          },
  };
}

function reportGraph({ name, nodes, fields }: GraphIR): ReportGraph {
  const given = (input: "required" | "optional") => fields.filter((field) => field.input === input);
  return {
    name,
    entry: nodes[0]?.name ?? "",
    nodes: nodes.length,
    inputs: [...given("required"), ...given("optional")].map((field) => field.name),
    outputs: fields.filter(({ writers }) => writers.length > 0).map((field) => field.name),
  };
}

export function formatJson(
  diagnostics: readonly AnyDiagnostic[],
  sources: Sources,
  graphs: readonly GraphIR[],
): string {
  return jsonText(createReport(diagnostics, sources, graphs));
}
