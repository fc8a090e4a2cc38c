import type { AnyDiagnostic } from "./diagnostic.js";
import { cellOfPlace } from "./worksheet.js";

/** The texts of files with diagnostics, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** The most diagnostics in a list. Totals count all. */
export const LIST_LIMIT = 200;

export interface Totals {
  readonly errors: number;
  readonly warnings: number;
}

export function countOf(diagnostics: readonly AnyDiagnostic[]): Totals {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** Sorted by file in the order of the sources (others follow), then by place. Those without a place come first. */
export function inOrder<D extends AnyDiagnostic>(diagnostics: readonly D[], sources: Sources): readonly D[] {
  const rank = new Map<string, number>();
  for (const file of sources.keys()) rank.set(file, rank.size);
  for (const { file } of diagnostics) if (!rank.has(file)) rank.set(file, rank.size);
  const rankOf = ({ file }: AnyDiagnostic): number => rank.get(file) ?? 0;
  return [...diagnostics].sort((a, b) => rankOf(a) - rankOf(b) || byPlace(a, b));
}

export function byPlace(a: AnyDiagnostic, b: AnyDiagnostic): number {
  const lines = (a.place?.line ?? 0) - (b.place?.line ?? 0);
  return lines || (a.place?.column ?? 0) - (b.place?.column ?? 0);
}

export function listed<D extends AnyDiagnostic>(diagnostics: readonly D[], sources: Sources): readonly D[] {
  return inOrder(diagnostics, sources).slice(0, LIST_LIMIT);
}

/** `2 errors, 1 warning`; null for zero. */
export function totalsText({ errors, warnings }: Totals): string | null {
  const parts = [plural(errors, "error"), plural(warnings, "warning")].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

const plural = (count: number, noun: string): string | null =>
  count === 0 ? null : `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `cell F5 · graph triage · node Classify`, as far as known; in a workbook `Triage!F5 · …`. */
export function aroundText({ place, graph, node }: AnyDiagnostic): string {
  const inWorksheet = place?.worksheet === undefined ? [] : [cellOfPlace(place) ?? ""];
  const parts = { cell: inWorksheet.length > 0 ? null : (place?.cell ?? null), graph, node };
  const named = Object.entries(parts)
    .filter(([, name]) => name !== null)
    .map(([what, name]) => `${what} ${name}`);
  return [...inWorksheet, ...named].join(" · ");
}
