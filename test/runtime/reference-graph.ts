import { defineGraph } from "flowsheet/graph";
import { givenAnswer } from "../../runtime/agents/asking/input.js";
import type {
  AgentContext,
  AnyAgent,
  AnyGraph,
  Given,
  Node,
  Route,
  StateData,
  Target,
} from "../../runtime/graph/contract/contract.js";
import { choose, decline, fail } from "../../runtime/graph/index.js";
import { asking } from "../../runtime/graph/link/marks.js";
import { asks, END, nodeAt, type RefGraph, type RefNode } from "../reference/graph.js";
import { actionAt, type Fields, outcomeOf, type Script, type SettledAction } from "../reference/script.js";
import { splitsOf } from "../reference/splits.js";

/** What a visit saw, keyed as the reference keeps it. */
export interface Seen {
  readonly node: number;
  readonly visit: number;
  readonly seen: Fields;
  readonly unset: readonly string[];
}

/** How an agent answers: at once, or some time later. */
export type Pace = "sync" | "promise" | "thenable" | "later";

export interface Built {
  readonly graph: AnyGraph;
  /** The visits of the last run or resume, as they began. */
  readonly seen: Seen[];
}

/** The graph of the reference as one that the driver runs, with agents that play a script. */
export function buildGraph(
  ref: RefGraph,
  script: Script,
  paces: readonly Pace[],
  names: (node: number) => string,
): Built {
  const seen: Seen[] = [];
  const nodes: { [name: string]: Node<AnyAgent, string> } = {};
  const routes: { [name: string]: Route } = {};
  ref.nodes.forEach((node, index) => {
    const pace = paces[index % paces.length] ?? "sync";
    const agent = paced(pace, player({ ref, script, index, seen, names }));
    nodes[names(index)] = nodeFrom(node, asks(node) ? asking(agent) : agent);
    routes[names(index)] = routeFrom(node, names);
  });
  const splits: { [name: string]: { [edge: string]: string[][] } } = {};
  for (const split of splitsOf(ref)) {
    const branches = split.branches.map((own) => own.map(names));
    splits[names(split.node)] = { ...splits[names(split.node)], [split.by]: branches };
  }
  const graph = defineGraph<Given, StateData>()({
    name: "Reference",
    entry: names(0),
    nodes,
    routes,
    splits,
    fingerprint: "reference",
  }) as unknown as AnyGraph;
  return { graph, seen };
}

function nodeFrom(node: RefNode, agent: AnyAgent): Node<AnyAgent, string> {
  const fields = node.reads.map(({ field }) => field);
  return {
    agent,
    inputs: (state: StateData) => Object.fromEntries(fields.map((field) => [field, state[field]])),
    writes: node.writes,
    merge: node.merge,
    ...(node.maxVisits === null ? {} : { maxVisits: node.maxVisits }),
  };
}

function routeFrom(node: RefNode, names: (node: number) => string): Route {
  const name = (target: number): string | null => (target === END ? null : names(target));
  const list = (targets: readonly number[]): Target<string> =>
    targets.length === 1 ? name(targets[0] ?? END) : targets.map(name);
  return {
    ...(node.next.length === 0 ? {} : { next: list(node.next) }),
    ...(node.onSuccess.length === 0 ? {} : { success: list(node.onSuccess) }),
    ...(node.onFailure.length === 0 ? {} : { failure: list(node.onFailure) }),
    ...(node.maxVisits === null ? {} : { limit: name(node.onLimit) }),
  };
}

interface Part {
  readonly ref: RefGraph;
  readonly script: Script;
  readonly index: number;
  readonly seen: Seen[];
  readonly names: (node: number) => string;
}

function player(part: Part): (inputs: Fields, context: AgentContext) => unknown {
  return (inputs, context) => {
    const { ref, script, index, seen } = part;
    const place = { node: index, visit: context.visit };
    const action = actionAt(ref, script, place);
    if (context.answer === undefined) seen.push(look(place, inputs));
    if (action.kind !== "wait") return play(part, context, action);
    const given = nodeAt(ref, index).agent === "input" ? givenAnswer(context) : undefined;
    if (given !== undefined) return given;
    if (context.answer !== undefined) return play(part, context, action.answer);
    return context.wait({ prompt: context.node, type: { kind: "any" } });
  };
}

function look(place: { node: number; visit: number }, inputs: Fields): Seen {
  const fields = Object.keys(inputs);
  return {
    ...place,
    seen: Object.fromEntries(
      fields.filter((field) => inputs[field] !== undefined).map((field) => [field, inputs[field] ?? null]),
    ),
    unset: fields.filter((field) => inputs[field] === undefined),
  };
}

const unset = (fields: readonly string[]): { [field: string]: undefined } =>
  Object.fromEntries(fields.map((field) => [field, undefined]));

function play({ ref, index, names }: Part, context: AgentContext, action: SettledAction): unknown {
  const node = nodeAt(ref, index);
  const { agent, writes } = node;
  const outcome = outcomeOf(ref, { node: index, visit: context.visit }, action);
  if (outcome.kind === "thrown") throw new Error(outcome.message);
  const own = Object.entries(outcome.writes).filter(([field]) => writes.includes(field));
  const result = writes.length === 0 ? null : { ...unset(writes), ...Object.fromEntries(own) };
  if (outcome.kind === "failure") {
    if (agent === "branching" || agent === "human") return decline(result);
    return fail(outcome.message, writes.length === 0 ? {} : (result ?? {}));
  }
  if (agent !== "switch") return result;
  const list = node.onSuccess.length > 0 ? node.onSuccess : node.next;
  const target = list[outcome.choice % Math.max(list.length, 1)] ?? END;
  return target === END ? result : choose(names(target), result);
}

function paced(pace: Pace, agent: (inputs: Fields, context: AgentContext) => unknown): AnyAgent {
  if (pace === "sync") return agent as AnyAgent;
  if (pace === "promise")
    return (async (inputs: Fields, context: AgentContext) => agent(inputs, context)) as AnyAgent;
  if (pace === "later") {
    return (async (inputs: Fields, context: AgentContext) => {
      await new Promise((resolve) => setImmediate(resolve));
      return agent(inputs, context);
    }) as AnyAgent;
  }
  return ((inputs: Fields, context: AgentContext) => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise is what is tried here.
    then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
      try {
        resolve(agent(inputs, context));
      } catch (error) {
        reject(error);
      }
    },
  })) as AnyAgent;
}
