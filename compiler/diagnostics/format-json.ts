import type { GraphIR } from "../ir.js";
import type { AnyDiagnostic } from "./diagnostic.js";
import { jsonText } from "./json-text.js";
import type { Sources } from "./listing.js";
import { createReport } from "./report.js";

export function formatJson(
  diagnostics: readonly AnyDiagnostic[],
  sources: Sources,
  graphs: readonly GraphIR[],
): string {
  return jsonText(createReport(diagnostics, sources, graphs));
}
