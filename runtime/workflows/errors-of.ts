import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";

/** The errors that keep a graph from running: those of the sheet as a whole, and its own. */
export function errorsOf({ diagnostics }: Understanding, graph: string | null): readonly Diagnostic[] {
  return diagnostics.filter((one) => one.severity === "error" && (one.graph === null || one.graph === graph));
}
