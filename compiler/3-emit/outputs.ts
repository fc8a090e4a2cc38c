import type { NodeIR, WriteIR } from "../ir.js";
import { isUnknown } from "../types/field-type.js";
import { isReceipt } from "./receipt.js";
import { childSettings } from "./scope.js";

/** What a node writes into a field. */
export const writesTo = (node: NodeIR, field: string): readonly WriteIR[] =>
  node.writes.filter((write) => write.field === field);

/** True for an output whose type only the agent's code tells: a custom agent, another graph, or what writes files. */
export const isDeclared = (node: NodeIR, write: WriteIR): boolean =>
  isReceipt(node, write) ||
  (node.agent.builtin ? isCall(node) && (write.type === null || isUnknown(write.type)) : write.type === null);

/** A list of a loop: what it holds for an item that wrote nothing is known to the loop's own type. */
export const isEachList = (node: NodeIR, { annotated }: WriteIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && !isCall(node) && !annotated;

/** A list of a loop in which an item that failed left null, whatever the sheet says its items are. */
export const hasGaps = (node: NodeIR, { key }: WriteIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && leavesGaps(node) && key !== "errors";

/** True for a node that runs another graph once. */
export const isCall = (node: NodeIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && childSettings(node).over === undefined;

/** True for a loop that goes on when an item fails. */
export function leavesGaps(node: NodeIR): boolean {
  const { over, onError } = childSettings(node);
  return over !== undefined && onError === "collect";
}
