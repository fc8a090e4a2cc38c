import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver/node";
import type { AnyDiagnostic } from "../../../compiler/diagnostics/diagnostic.js";
import { visible } from "../../../compiler/diagnostics/visible.js";
import { rangeOfPlace } from "./places.js";

export const SOURCE = "flowsheet";
/** What no run ever comes to is shown faintly. */
const UNUSED: ReadonlySet<string> = new Set(["unreachable-node"]);

/** A problem as editors show it: the label and the cure stand below the message. */
export function shownDiagnostic({ code, severity, message, place, label, help }: AnyDiagnostic): Diagnostic {
  const lines = [message, ...(label === null ? [] : [label]), ...(help === null ? [] : [`help: ${help}`])];
  return {
    range: rangeOfPlace(place),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: SOURCE,
    message: lines.map(visible).join("\n"),
    ...(UNUSED.has(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  };
}

/** A problem of the file as a whole, which has no code. */
export const wholeFile = (message: string): Diagnostic => ({
  range: rangeOfPlace(null),
  severity: DiagnosticSeverity.Error,
  source: SOURCE,
  message: visible(message),
});
