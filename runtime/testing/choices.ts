import type { GraphIR } from "../../compiler/ir.js";
import type { Choice } from "../graph/contract/contract.js";
import { signalOf } from "../graph/contract/signal.js";
import type { StandIn } from "./mocks.js";

/** True when an agent goes to one of several nodes, by its answer. */
export function chooses(graph: GraphIR, node: number): boolean {
  const one = graph.nodes[node];
  if (one === undefined) return false;
  if (one.cases.length > 0 || one.otherwise !== null) return true;
  const by = one.onSuccess.length > 0 ? "success" : "next";
  const isSplit = graph.splits.some((split) => split.node === node && split.by === by);
  return (by === "success" ? one.onSuccess : one.next).length > 1 && !isSplit;
}

/** Runs an agent and reports its choice in each visit. */
export function listening(
  agent: StandIn,
  onChoice: (node: string, visit: number, name: string) => void,
): StandIn {
  return (inputs, context) => {
    const hear = (answer: unknown): unknown => {
      const signal = typeof answer === "object" && answer !== null ? signalOf(answer) : undefined;
      const name = signal === undefined ? answer : (signal as Partial<Choice<unknown>>).name;
      if (name !== undefined) onChoice(context.node, context.visit, String(name));
      return answer;
    };
    const answer: unknown = agent(inputs, context);
    const isLater = typeof (answer as { readonly then?: unknown } | null | undefined)?.then === "function";
    return isLater ? (answer as Promise<unknown>).then(hear) : hear(answer);
  };
}
