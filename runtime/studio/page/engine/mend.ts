import type { View } from "../../../../compiler/service/document.js";
import { applyFixes } from "../../../../compiler/service/fix-rounds.js";
import { mendAll } from "../../../../compiler/service/fixes.js";

/** The text with one fix, or with all safe ones. */
export function mended(view: View, problem: number | "safe"): string {
  if (problem !== "safe") {
    const wanted = view.diagnostics.slice(problem, problem + 1);
    return applyFixes(view.text, wanted, { unsafe: true, codes: null }).text;
  }
  return mendAll(view);
}
