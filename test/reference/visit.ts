import { asks, nodeAt, type RefGraph } from "./graph.js";
import { actionAt, type Fields, type Outcome, outcomeOf, type Script } from "./script.js";
import type { Split } from "./splits.js";
import type { State } from "./state.js";

/** One visit as it was seen: enough to check isolation, order, and what was set. */
export interface Visit {
  readonly node: number;
  readonly visit: number;
  /** The fields that the node reads and that were set, with their values. */
  readonly seen: Fields;
  /** The fields that the node reads and that were unset. */
  readonly unset: readonly string[];
}

/** The run fails: nothing catches this but the run itself. */
export class RunStopped extends Error {
  readonly code: "agent_failed" | "step_limit";
  readonly node: number;

  constructor(code: "agent_failed" | "step_limit", node: number, message: string) {
    super(message);
    this.code = code;
    this.node = node;
  }
}

/** What all parts of one run know. */
export interface Run {
  readonly graph: RefGraph;
  readonly script: Script;
  /** `node/visit` of the visits that have their answer. */
  readonly answered: ReadonlySet<string>;
  readonly ranks: readonly number[];
  readonly splits: readonly Split[];
  readonly counts: Map<number, number>;
  readonly path: number[];
  readonly visits: Visit[];
  readonly waiting: { node: number; visit: number }[];
  /** Length of the path when the outermost split that is under way began. */
  splitBegan: number | null;
  heldUp: boolean;
  unhandled: boolean;
  /** Since the last visit. */
  redirects: number;
}

/** Begins a visit; it waits when its action wants a person who has not answered. */
export function visit(run: Run, at: number, state: State): Outcome | "waits" {
  if (run.path.length >= (run.script.maxSteps ?? 10_000))
    throw new RunStopped("step_limit", at, "too many node visits");
  const count = (run.counts.get(at) ?? 0) + 1;
  run.counts.set(at, count);
  run.path.push(at);
  run.redirects = 0;
  run.visits.push(look(run.graph, { node: at, visit: count }, state));
  const place = { node: at, visit: count };
  const action = actionAt(run.graph, run.script, place);
  if (action.kind !== "wait") return outcomeOf(run.graph, place, action);
  const given = givenAnswer(run, place);
  if (given !== null) return { kind: "success", writes: given, choice: 0, message: "" };
  if (run.answered.has(`${at}/${count}`)) return outcomeOf(run.graph, place, action.answer);
  run.waiting.push(place);
  return "waits";
}

/** On its first visit `input` takes its fields from the caller, when the caller gave them all. */
function givenAnswer(run: Run, at: { node: number; visit: number }): Fields | null {
  const { agent, writes } = nodeAt(run.graph, at.node);
  const initial = run.script.initial ?? {};
  const given = writes.length > 0 && writes.every((field) => Object.hasOwn(initial, field));
  // Another node that asks for the field has had it.
  const taken = run.path.some((index) => {
    const other = nodeAt(run.graph, index);
    return index !== at.node && asks(other) && other.writes.some((field) => writes.includes(field));
  });
  if (agent !== "input" || at.visit > 1 || !given || taken) return null;
  return Object.fromEntries(writes.map((field) => [field, initial[field] ?? null]));
}

function look(graph: RefGraph, at: { node: number; visit: number }, state: State): Visit {
  const fields = nodeAt(graph, at.node).reads.map((read) => read.field);
  const isSet = (field: string): boolean => state.values.has(field);
  return {
    ...at,
    seen: Object.fromEntries(fields.filter(isSet).map((field) => [field, state.values.get(field) ?? null])),
    unset: fields.filter((field) => !isSet(field)),
  };
}
