import type { Diagnostic, Severity } from "../../compiler/diagnostics/diagnostic.js";

/** What is said at one cell. */
export interface Remark {
  /** As hucre has it: both count from 0. */
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly severity: Severity;
}

/** What is found in each worksheet, by its name, cell by cell; `ofText` is the name for a sheet of text. */
export function remarksOf(
  diagnostics: readonly Diagnostic[],
  ofText: string,
): ReadonlyMap<string, readonly Remark[]> {
  const found = new Map<string, Map<string, Remark>>();
  for (const diagnostic of diagnostics) {
    const { place, span, severity } = diagnostic;
    if (place === null || (span === null && place.worksheet === undefined)) continue;
    const worksheet = place.worksheet ?? ofText;
    const cells = found.get(worksheet) ?? new Map<string, Remark>();
    found.set(worksheet, cells);
    const [row, column] = span === null ? [place.line - 1, place.column - 1] : [span.record, span.column];
    const before = cells.get(`${row},${column}`);
    const text = remarkText(diagnostic);
    cells.set(`${row},${column}`, {
      ...{ row, column },
      text: before === undefined ? text : `${before.text}\n\n${text}`,
      severity: before?.severity === "error" ? "error" : severity,
    });
  }
  return new Map([...found].map(([name, cells]) => [name, [...cells.values()]]));
}

function remarkText({ severity, code, message, label, help, fix }: Diagnostic): string {
  const cures = [label, help, fix === null ? null : `fix: ${fix.title}`];
  return [
    `${severity}: ${message}`,
    ...new Set(cures.filter((cure) => cure !== null)),
    `flowsheet explain ${code}`,
  ].join("\n");
}
