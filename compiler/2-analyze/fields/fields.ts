import { END, type InputItem, type SplitIR } from "../../ir.js";
import { isRunValue } from "../../types/run-values.js";
import { type Draft, type DraftNode, writtenFields } from "../draft.js";
import { createDigraph, type Digraph, reachableFrom, reversed } from "../flow/digraph.js";
import { type Dominators, findDominators } from "../flow/dominators.js";
import type { Flow, Ways } from "../flow/edges.js";
import { inherited, once } from "../flow/once.js";
import { hiddenInputs } from "../formulas/node-formula.js";
import { isSurelyWritten, tellsOfAnswer } from "./calls.js";
import type { FieldUse, Read } from "./field-use.js";
import { judgeReads } from "./judge-reads.js";
import { findAfterFailure } from "./placeholders.js";
import { createFlowSystem, type FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

export interface Fields {
  /** In the order in which rows name them: inputs before outputs. */
  readonly byName: ReadonlyMap<string, FieldUse>;
  /** The reads of each node, in the order of its cell. */
  readonly readsOf: readonly (readonly Read[])[];
  /** The nodes that a run can come to. */
  readonly visited: Uint8Array;
}

export function gatherFields(draft: Draft, ways: Ways): Fields {
  const { flows, taken } = ways;
  const afterFailure = once(() => findAfterFailure(ways));
  const visited = reachableFrom(taken, [0]);
  const byName = new Map<string, FieldUse>();
  const use = (name: string): FieldUse => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const fresh: FieldUse = {
      name,
      writers: NO_WRITERS,
      sureWriters: NO_WRITERS,
      reads: NO_READS,
      asked: false,
      input: null,
      setAtEnd: false,
      setAtSuccess: false,
    };
    byName.set(name, fresh);
    return fresh;
  };
  const readsOf = draft.nodes.map((node) => {
    const reads = readBy(node, afterFailure).map((item): Read => ({ node: node.index, item, sure: true }));
    for (const read of reads) {
      if (isRunValue(read.item.field)) continue;
      const known = use(read.item.field);
      known.reads = appended(known.reads, read);
    }
    for (const field of writtenFields(node)) {
      const written = use(field);
      written.writers = appended(written.writers, node.index);
      if (surelyWrites(draft, node, field)) written.sureWriters = appended(written.sureWriters, node.index);
      if (node.facts?.asks === true && visited[node.index] === 1 && isAsked(node, field))
        written.asked = true;
    }
    return reads;
  });
  if (flows.some((flow) => flow.error && visited[flow.from] === 1)) use("error");
  return { byName, readsOf, visited };
}

/** The inputs of a node, with what its formula reads beside them. */
function readBy({ index, formula, row }: DraftNode, afterFailure: () => Uint8Array): readonly InputItem[] {
  if (formula === null) return row.inputs;
  const hidden = hiddenInputs(formula, row.inputs);
  return [...row.inputs, ...hidden.filter(({ field }) => field !== "error" || afterFailure()[index] === 1)];
}

const isAsked = (node: DraftNode, field: string): boolean =>
  node.row.outputs.some((output) => output.field === field && !tellsOfAnswer(node, output));

/** Outputs of a graph count as set: the types of its module say whether one may be missing. */
const surelyWrites = (draft: Draft, node: DraftNode, field: string): boolean =>
  (node.facts?.asks !== true && node.facts?.produces !== "answer") ||
  node.row.outputs.some((output) => output.field === field && isSurelyWritten(draft, node, output));

const NO_WRITERS: readonly number[] = [];
const NO_READS: readonly Read[] = [];

/** Most lists have one element. V8 reserves room for many when one is pushed to an empty array. */
function appended<T>(list: readonly T[], element: T): readonly T[] {
  if (list.length === 0) return [element];
  (list as T[]).push(element);
  return list;
}

/**
 * Decides for every field whether the caller must or may give it, and whether it is set at each read and at the end.
 * Where a writer dominates every read, dominators answer in O(1) a read. Only other fields need the fixpoint.
 */
export function settleFields(
  draft: Draft,
  { byName, visited }: Fields,
  ways: Ways,
  splits: readonly SplitIR[],
): void {
  const uses = [...byName.values()];
  const flows = ways.flows.filter(({ from }) => visited[from] === 1);
  const size = draft.nodes.length;
  const system = lazySystem({ size, flows, splits });
  const unset = new Set<Read>();
  findUnset(uses, { size, flows, splits, system }, (use, isUnset) => {
    use.setAtEnd = !isUnset(size);
    use.setAtSuccess = use.setAtEnd;
    for (const read of use.reads) if (visited[read.node] === 1 && isUnset(read.node)) unset.add(read);
  });
  findSetAtSuccess(uses, { size, flows, splits });
  const { dominators, written } = ways;
  judgeReads({ draft, dominators, leads: createLeads(written), visited, unset, system }, byName);
}

interface FlowWays {
  readonly size: number;
  readonly flows: readonly Flow[];
  readonly splits: readonly SplitIR[];
}

const lazySystem = ({ size, flows, splits }: FlowWays): (() => FlowSystem) =>
  once(() => createFlowSystem(size, flows, splits));

/** Ends right after a failure without an edge do not count: a run that ends there has not succeeded. */
function findSetAtSuccess(uses: readonly FieldUse[], ways: FlowWays): void {
  const flows = ways.flows.filter(({ unhandled }) => !unhandled);
  if (flows.length === ways.flows.length) return;
  const open = uses.filter(({ setAtEnd, sureWriters }) => !setAtEnd && sureWriters.length > 0);
  const successes = { ...ways, flows };
  findUnset(open, { ...successes, system: lazySystem(successes) }, (use, isUnset) => {
    use.setAtSuccess = !isUnset(ways.size);
  });
}

/** Gives `put` a test of where each field may be unset. The number `size` stands for the end. */
function findUnset(
  uses: readonly FieldUse[],
  { size, flows, splits, system }: FlowWays & { readonly system: () => FlowSystem },
  put: (use: FieldUse, isUnset: (v: number) => boolean) => void,
): void {
  const precedence = createPrecedence(size, flows);
  const hasFailure = flows.some(({ error }) => error);
  const open: FieldUse[] = [];
  for (const use of uses) {
    const isEverSet = use.sureWriters.length > 0 || (use.name === "error" && hasFailure);
    const isUnset = isEverSet ? byDominance(use, precedence, size, splits.length > 0) : () => true;
    if (isUnset === null) open.push(use);
    else put(use, isUnset);
  }
  if (open.length === 0) return;
  const tracked = open.map(({ sureWriters, name }) => ({ writers: sureWriters, isError: name === "error" }));
  solveUnset(system(), tracked, (first, count, isUnset) => {
    for (let field = first; field < first + count; field++) {
      const use = open[field] as FieldUse;
      // A join of branches takes all their exits together, so dominators can know more of one way out.
      put(use, (v) => isUnset(field, v) && !isSetBefore(use, precedence, v));
    }
  });
}

const isSetBefore = (
  { name, sureWriters }: FieldUse,
  { isWritten, isAfterFailure }: Precedence,
  v: number,
): boolean => (name === "error" ? isAfterFailure(v) : isWritten(sureWriters, v));

/** With more pairs of a writer and a reader than this the fixpoint is cheaper. */
const MOST_PAIRS = 64;

/** What dominators tell of ways that a run can take. `size` as a node stands for the end. */
export interface Precedence {
  /** Whether one of the writers has written on every way to a node; false where there are too many to ask. */
  readonly isWritten: (writers: readonly number[], v: number) => boolean;
  /** Whether every way to a node leads over a failure. */
  readonly isAfterFailure: (v: number) => boolean;
}

/** A node with edges that skip its writes gets a second number, for "left with its writes". */
export function createPrecedence(size: number, flows: readonly Flow[]): Precedence {
  const mixed = new Uint8Array(size);
  for (const { from, writes } of flows) if (!writes) mixed[from] = 1;
  const after = (v: number): number => (mixed[v] === 1 ? size + 1 + v : v);
  const end = 2 * size + 1;
  const from: number[] = [];
  const to: number[] = [];
  for (const flow of flows) {
    from.push(flow.writes ? after(flow.from) : flow.from);
    to.push(flow.to === END ? end : flow.to);
  }
  for (let v = 0; v < size; v++) {
    if (mixed[v] === 0) continue;
    from.push(v);
    to.push(after(v));
  }
  const dominators = findDominators(createDigraph(end + 1, { from, to }), 0);
  const isWritten = (writers: readonly number[], v: number): boolean => {
    if (writers.length > MOST_PAIRS) return false;
    const place = v === size ? end : v;
    return writers.some((writer) => writer !== v && dominators.dominates(after(writer), place));
  };
  return { isWritten, isAfterFailure: createAfterFailure(size, flows, dominators) };
}

/**
 * Tells by dominators where a field may be unset; null when only the fixpoint can tell. Dominators are enough when
 * writers dominate every read and the end, or when a graph without splits has one writer.
 */
function byDominance(
  { name, sureWriters: writers, reads }: FieldUse,
  { isWritten, isAfterFailure }: Precedence,
  size: number,
  splits: boolean,
): ((v: number) => boolean) | null {
  if (name === "error")
    return reads.every(({ node }) => isAfterFailure(node)) ? (v) => !isAfterFailure(v) : null;
  if (writers.length * (reads.length + 1) > MOST_PAIRS) return null;
  const isUnset = (v: number): boolean => !isWritten(writers, v);
  const exact = writers.length === 1 && !splits;
  return exact || !(isUnset(size) || reads.some(({ node }) => isUnset(node))) ? isUnset : null;
}

/** `error` is set at a node with a dominator that is reached by failures only. */
function createAfterFailure(
  size: number,
  flows: readonly Flow[],
  { parent }: Dominators,
): (v: number) => boolean {
  const ordinary = new Uint8Array(size);
  ordinary[0] = 1;
  for (const { to, error } of flows) if (!error && to >= 0) ordinary[to] = 1;
  return inherited((v) => {
    if (v < size && ordinary[v] === 0) return true;
    const above = parent[v] as number;
    return above >= 0 && above !== v && above;
  });
}

/** Whether one node leads to another. The last target's search is kept, since questions come target by target. */
function createLeads(graph: Digraph): (w: number, v: number) => boolean {
  const back = once(() => reversed(graph));
  let place = -1;
  let seen: Uint8Array = new Uint8Array(0);
  return (w, v) => {
    if (place !== v) {
      const { start, to } = back();
      seen = reachableFrom(back(), to.subarray(start[v], start[v + 1]));
      place = v;
    }
    return seen[w] === 1;
  };
}
