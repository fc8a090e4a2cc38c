import { callerIdOf, callersOf, isCall, visitIdOf } from "../../runtime/durable/edits/find-visit.js";
import type { EventRow, StepRow, WaitRow } from "../../runtime/durable/rows.js";
import type { Json } from "../../runtime/graph/contract/contract.js";

/** A visit as people see it: all of its calls in one. */
export interface Visit {
  readonly node: string;
  /** Its name without those of the visits around it: `Ask`, `[2]/Ask`. */
  readonly label: string;
  readonly number: number;
  /** How many visits it stands inside of. */
  readonly depth: number;
  readonly branch: readonly number[];
  readonly calls: readonly StepRow[];
  readonly began: number;
  /** Milliseconds of its calls, and of waiting for answers: not of the time between a failure and a retry. */
  readonly took: number;
  /** `at work` when nothing has been recorded of it. */
  readonly outcome: string;
  readonly writes: Json;
  readonly error: string | null;
  readonly attempts: number;
}

interface Known {
  readonly key: string;
  readonly parent: string;
  readonly visit: Visit;
}

/** The visits of a run as a reader follows it: branch by branch, and what a node ran behind the node. */
export function visitsOf(
  steps: readonly StepRow[],
  { events = [], isOver = false }: { readonly events?: readonly EventRow[]; readonly isOver?: boolean } = {},
): readonly Visit[] {
  const calls = new Map<string, StepRow[]>();
  for (const step of steps.filter(isCall))
    calls.set(visitIdOf(step.id), [...(calls.get(visitIdOf(step.id)) ?? []), step]);
  const known = [...calls].map(([key, rows]) => ({
    key,
    parent: callerIdOf(key),
    visit: visitOf(key, rows),
  }));
  const working = atWork(events).filter(({ key }) => !calls.has(key));
  const all = withCallers([...known, ...working], isOver ? "stopped" : "at work");
  const keys = new Set(all.map(({ key }) => key));
  const top = all.filter(({ parent }) => !keys.has(parent));
  return byBranch(top).flatMap((one) => [one.visit, ...inside(one.key, all)]);
}

function inside(parent: string, all: readonly Known[]): readonly Visit[] {
  const children = all.filter((one) => one.parent === parent);
  return byBranch(children).flatMap((one) => [one.visit, ...inside(one.key, all)]);
}

/** A node that runs a graph is recorded when that has ended. Before, its visit is known by those inside. */
function withCallers(known: readonly Known[], outcome: string): readonly Known[] {
  const keys = new Set(known.map(({ key }) => key));
  const callers = new Map<string, Known[]>();
  for (const one of known)
    for (let key = one.parent; key !== "" && !keys.has(key); key = callerIdOf(key))
      callers.set(key, [...(callers.get(key) ?? []), one]);
  const added = [...callers].map(([key, inside]) => callerOf(key, inside, outcome));
  // The outermost of several that begin with one visit comes first.
  const before = (one: Known): readonly Known[] =>
    added.filter(({ key }) => callers.get(key)![0] === one).sort((a, b) => a.key.length - b.key.length);
  return known.flatMap((one) => [...before(one), one]);
}

function callerOf(key: string, inside: readonly Known[], outcome: string): Known {
  const [{ visit: first }] = inside as readonly [Known];
  const about = { id: inside[0]!.key, node: first.node, visit: first.number };
  const { node } = callersOf(about).find(({ id }) => id === key) ?? about;
  const branch = inside.map(({ visit }) => visit.branch).sort((a, b) => a.length - b.length)[0]!;
  const nothing = { calls: [], writes: null, error: null, attempts: 1 };
  const visit = {
    ...nothing,
    ...{ node, ...placeOf(key, node), number: Number(key.split("|").at(-1)) },
    ...{ branch, began: first.began, took: first.took },
    outcome: inside.some((one) => one.visit.outcome === "waiting") ? "waiting" : outcome,
  };
  return { key, parent: callerIdOf(key), visit };
}

/** Neighbours that stand in branches come one branch after the other. */
function byBranch(visits: readonly Known[]): readonly Known[] {
  const ordered: Known[] = [];
  let group: Known[] = [];
  const flush = (): void => {
    ordered.push(...group.sort((a, b) => compareBranches(a.visit.branch, b.visit.branch)));
    group = [];
  };
  for (const one of visits) {
    if (one.visit.branch.length === 0) flush();
    group.push(one);
    if (one.visit.branch.length === 0) flush();
  }
  flush();
  return ordered;
}

/** Sorting is stable, so visits of one branch stay in their order. */
function compareBranches(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, i) => i < b.length && index !== b[i]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

function visitOf(key: string, calls: readonly StepRow[]): Visit {
  const [first, last] = [calls[0]!, calls.at(-1)!];
  return {
    ...{ node: last.node, number: last.visit, branch: last.branch, calls },
    ...placeOf(key, last.node),
    ...{ began: first.began, took: tookOf(calls), outcome: last.outcome },
    ...{ writes: last.writes, error: last.error, attempts: Math.max(...calls.map(({ attempt }) => attempt)) },
  };
}

/** A name may hold a `/`, so the visits around are counted, not the signs. */
function placeOf(key: string, node: string): Pick<Visit, "depth" | "label"> {
  const around = callersOf({ id: key, node, visit: 1 });
  const caller = around.at(-1)?.node ?? "";
  return { depth: around.length, label: node.slice(caller.length).replace(/^\//, "") };
}

const tookOf = (calls: readonly StepRow[]): number =>
  calls.reduce((sum, { began, ended, outcome }, at) => {
    const until = outcome === "waiting" ? (calls[at + 1]?.began ?? ended) : ended;
    return sum + Math.max(0, until - began);
  }, 0);

/** Nodes that have begun and not ended, of the run's own graph. */
function atWork(events: readonly EventRow[]): readonly Known[] {
  const open = new Map<string, Known>();
  for (const { type, at, event } of events) {
    const { node, visit } = event as { readonly node?: string; readonly visit?: number };
    if (node === undefined || visit === undefined) continue;
    const key = `${node}|${visit}`;
    if (type === "node_end") open.delete(key);
    if (type !== "node_start") continue;
    const nothing = { depth: 0, label: node, branch: [], calls: [], writes: null, error: null, attempts: 1 };
    const seen = { ...nothing, node, number: visit, began: at, took: 0, outcome: "at work" };
    open.set(key, { key, parent: "", visit: seen });
  }
  return [...open.values()];
}

/** The open question of a visit that waits. */
export const waitOf = (visit: Visit, waits: readonly WaitRow[]): WaitRow | undefined =>
  waits.find(({ ending, waiting }) => ending === null && waiting.node === visit.node);
