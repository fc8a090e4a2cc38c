import { understandSheet } from "../../compiler/compile.js";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import { agentFacts } from "../agents/facts.js";

/**
 * Throws unless a sheet has exactly these diagnostics, in the order of their places. Each is a code with an optional
 * cell: `"unknown-node"` or `"unknown-node D3"`. Only the sheet is read.
 */
export function expectDiagnostics(sheetText: string, expected: readonly string[]): void {
  const file = "sheet.csv";
  const world = {
    agents: agentFacts,
    customAgents: null,
    unknownAgent: "warning",
    prompt: null,
    otherGraphs: null,
    lacks: () => null,
  } as const;
  const { diagnostics } = understandSheet({ file, bytes: new TextEncoder().encode(sheetText) }, world);
  const fits = (wanted: string, i: number): boolean => {
    const found = diagnostics[i];
    const cell = found?.place?.cell ?? "";
    return found !== undefined && (wanted === found.code || wanted === `${found.code} ${cell}`);
  };
  if (diagnostics.length === expected.length && expected.every(fits)) return;
  const wanted = expected.length === 0 ? "no diagnostics" : expected.join(", ");
  throw new Error(
    `expected ${wanted}, but this was reported:\n\n${formatText(diagnostics, new Map([[file, sheetText]]))}`,
  );
}
