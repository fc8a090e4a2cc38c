import { type AgentKind, nodeAt, type RefGraph } from "./graph.js";

/** Values that the reference moves about: enough for the merges, and plain JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
export type Fields = { readonly [field: string]: Value };

/** What a node does at one visit. Without `writes` it writes each of its fields (see `plainValue`). */
export type Action =
  | { readonly kind: "succeed"; readonly writes?: Fields }
  | { readonly kind: "fail"; readonly reason?: string; readonly writes?: Fields }
  | { readonly kind: "throw"; readonly message?: string }
  /** `target` counts in the list of a `switch`. */
  | { readonly kind: "choose"; readonly target: number; readonly writes?: Fields }
  /** Waits for a person; `answer` is what the answer makes of the visit. */
  | { readonly kind: "wait"; readonly answer: SettledAction };
export type SettledAction = Exclude<Action, { readonly kind: "wait" }>;

/** By node, what it does at its first visit, its second, and so on; the last action repeats. */
export interface Script {
  readonly actions: { readonly [node: number]: readonly Action[] };
  readonly initial?: Fields;
  /** By resume: the nodes that are answered; a resume without an entry answers all that wait. */
  readonly answers?: readonly (readonly number[])[];
  readonly maxSteps?: number;
}

/** What a node writes when its script says nothing: another number for each visit of each node. */
export const plainValue = (node: number, visit: number): number => (node + 1) * 1000 + visit;

const USUAL: { readonly [kind in AgentKind]: Action } = {
  echo: { kind: "succeed" },
  custom: { kind: "succeed" },
  branching: { kind: "succeed" },
  failure: { kind: "fail" },
  switch: { kind: "choose", target: 0 },
  input: { kind: "wait", answer: { kind: "succeed" } },
  human: { kind: "wait", answer: { kind: "succeed" } },
};

/** What the script wants of a visit (counted from 1). */
export function actionAt(graph: RefGraph, script: Script, at: { node: number; visit: number }): Action {
  const listed = script.actions[at.node] ?? [];
  return listed[Math.min(at.visit, listed.length) - 1] ?? USUAL[nodeAt(graph, at.node).agent];
}

/** The outcome of a settled visit as routing sees it, with all that it writes. */
export interface Outcome {
  readonly kind: "success" | "failure" | "thrown";
  readonly writes: Fields;
  /** Index in the list of a node that chooses. */
  readonly choice: number;
  readonly message: string;
}

/**
 * What an action comes to. `fail` of a `custom` agent and a `failure` node set `error`, and so does a throw;
 * `branching` and `human` do not, and write their value whatever the outcome. A throw writes nothing else.
 */
export function outcomeOf(
  graph: RefGraph,
  at: { node: number; visit: number },
  action: SettledAction,
): Outcome {
  const { agent, writes } = nodeAt(graph, at.node);
  const all = Object.fromEntries(writes.map((field) => [field, plainValue(at.node, at.visit)]));
  const said = `N${at.node}#${at.visit}`;
  if (action.kind === "throw") {
    const message = action.message ?? `${said} threw`;
    return { kind: "thrown", writes: { error: message }, choice: 0, message };
  }
  if (action.kind === "fail") {
    const own = action.writes ?? (agent === "custom" ? {} : all);
    const message = action.reason ?? `${said} failed`;
    const silent = agent === "branching" || agent === "human";
    return { kind: "failure", writes: silent ? own : { ...own, error: message }, choice: 0, message };
  }
  const choice = action.kind === "choose" ? action.target : 0;
  return { kind: "success", writes: action.writes ?? all, choice, message: "" };
}
