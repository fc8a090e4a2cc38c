import type { NodeIR, WriteIR } from "../ir.js";
import { builtinExport } from "./builtin-agents.js";
import type { Scope } from "./scope.js";

/** True for an output of an agent that writes files whose type the sheet does not say. */
export function isReceipt({ agent }: NodeIR, { annotated }: WriteIR): boolean {
  if (annotated || !agent.builtin || agent.type === "graph") return false;
  return builtinExport(agent.type).receipt === true;
}

/** True for a node whose only output takes the whole receipt, since it names no entry of it. */
export function takesReceipt(node: NodeIR): boolean {
  const [only] = node.writes;
  return node.writes.length === 1 && only !== undefined && isReceipt(node, only) && !ENTRIES.has(only.key);
}

/** What the receipt gives for an output. Beside other outputs, one that names no entry finds nothing. */
export function receiptType(node: NodeIR, { key }: WriteIR, scope: Scope): string {
  if (takesReceipt(node)) return scope.useOfAgents("Receipt");
  if (key === "mode") return `${scope.useOfAgents("Receipt")}["mode"]`;
  return ENTRIES.get(key) ?? "unknown";
}

const ENTRIES: ReadonlyMap<string, string> = new Map([
  ["file", "string"],
  ["mode", "string"],
  ["count", "number"],
]);
