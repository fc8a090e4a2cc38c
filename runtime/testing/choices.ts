import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { folded } from "../../compiler/types/yes-no.js";
import type { AnyAgent, AnyGraph, Choice } from "../graph/contract/contract.js";
import { signalOf } from "../graph/contract/signal.js";
import { callOf } from "../graph/link/table.js";
import type { StandIn } from "./mocks.js";

/** Whether an agent goes to one of several nodes, by what it answers. */
export function chooses(graph: GraphIR, node: number): boolean {
  const one = graph.nodes[node];
  if (one === undefined) return false;
  if (one.cases.length > 0 || one.otherwise !== null) return true;
  const by = one.onSuccess.length > 0 ? "success" : "next";
  const isSplit = graph.splits.some((split) => split.node === node && split.by === by);
  return (by === "success" ? one.onSuccess : one.next).length > 1 && !isSplit;
}

/** Which of the ways of a choosing node an answer takes: a listed target, a case, or the default. */
export type ChosenWay =
  | { readonly kind: "listed"; readonly target: Target }
  | { readonly kind: "case"; readonly value: string }
  | { readonly kind: "default" };

/** The way that an answer names, by the rules of the driver: as it is, else ignoring case, else the default. */
export function wayOf(graph: GraphIR, node: NodeIR, answer: string): ChosenWay | null {
  const listed = node.onSuccess.length > 0 ? node.onSuccess : node.next;
  const named: (readonly [string, ChosenWay])[] = [
    ...listed.map((target) => [nameOf(graph, target), { kind: "listed", target }] as const),
    ...node.cases.map(({ value }) => [value, { kind: "case", value }] as const),
  ];
  for (const fold of [(text: string) => text.trim(), folded]) {
    const found = named.find(([name]) => fold(name) === fold(answer));
    if (found !== undefined) return found[1];
  }
  return node.otherwise === null ? null : { kind: "default" };
}

const nameOf = (graph: GraphIR, target: Target): string =>
  target === END ? "END" : (graph.nodes[target]?.name ?? "");

/** Runs an agent, and tells what it chose at which visit. */
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

/** The agent of a node as it is, as a function. */
export function agentOf(graph: AnyGraph, node: string): StandIn {
  const found = graph.definition.nodes[node];
  return callOf(found?.agent as AnyAgent) as StandIn;
}
