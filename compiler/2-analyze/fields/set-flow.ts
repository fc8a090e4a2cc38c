import { END, type SplitIR, type Target } from "../../ir.js";
import {
  type Branches,
  type BranchNumber,
  type Contexts,
  createBranches,
  createContexts,
  NO_BRANCH,
} from "../flow/branches.js";
import type { EdgeList } from "../flow/digraph.js";
import { findDominators } from "../flow/dominators.js";
import { type Edge, edgeGraph, type Flow, outcomeKey } from "../flow/edges.js";
import { onlyTaken } from "../flow/taken-splits.js";

/**
 * The data-flow equations for unset fields. Each node has a slot for its arrival, and the end has one.
 * Each split has three slots for each branch, and three for the join of all branches.
 */
export interface FlowSystem {
  /** The first slots are the nodes', by their numbers. */
  readonly nodes: number;
  readonly slots: number;
  /** Unset fields flow along an arc, except those that its node writes (-1: none); `error` is set after a failure. */
  readonly arcs: { readonly [part in "from" | "to" | "writes"]: readonly number[] } & {
    readonly error: readonly boolean[];
  };
  /** The value of a join is the intersection of its slots: a field is unset only if no branch has set it. */
  readonly joins: EdgeList;
}

/** The kinds of exits from a branch: ordinary edges and ends; all; ends only. */
const ORDINARY = 0;
const ALL = 1;
const ENDS = 2;
const KINDS = 3;
type ExitKind = typeof ORDINARY | typeof ALL | typeof ENDS;

interface Way {
  readonly from: number;
  readonly to: Target;
  readonly failure: boolean;
}

/** An arc without its target. */
interface Via {
  readonly from: number;
  readonly writes: number;
  readonly error: boolean;
}

/** Where all branches of a split have come to, and over which exits. */
interface Stop {
  readonly split: number;
  readonly node: Target;
  readonly kind: ExitKind;
  /** A failure that sets `error` leads to it. Not all do: `branching` only signals that a condition does not hold. */
  readonly error: boolean;
}

/** Splits whose branches meet nowhere early come to nearly all nodes each. No sheet of a person has so many stops. */
const mostStops = (size: number): number => 100 + 4 * size;

/**
 * Builds the equations. Linear in the edges and the stops. With too many stops they are those of single ways: a field
 * that not every way sets counts as unset, though the other branches have set it.
 */
export function createFlowSystem(
  size: number,
  flows: readonly Flow[],
  splits: readonly SplitIR[],
): FlowSystem {
  const outcomes = new Set(flows.map(({ from, column }) => outcomeKey(from, column)));
  const taken = onlyTaken(size, splits, ({ node, by }) => outcomes.has(outcomeKey(node, by)));
  const builder = new Builder(size, taken, flows);
  for (const flow of flows) builder.addFlow(flow);
  return builder.finish() ? builder.system() : createFlowSystem(size, flows, []);
}

function isSameSplit(one: SplitIR | undefined, other: SplitIR): boolean {
  if (one?.node !== other.node || one.targets.length !== other.targets.length) return false;
  const targets = new Set(one.targets);
  return other.targets.every((target) => targets.has(target));
}

/** Whether a split dominates a node. For this a split is an extra graph node between its node and its targets. */
function createPasses(
  size: number,
  flows: readonly Flow[],
  splitOf: ReadonlyMap<number, number>,
): (split: number, v: number) => boolean {
  const place = (split: number): number => size + 1 + split;
  const end = size + 1 + splitOf.size;
  const edges: Edge[] = [];
  for (const flow of flows) {
    const { from, to, column } = flow;
    const split = splitOf.get(outcomeKey(from, column));
    if (split === undefined) edges.push(flow);
    else edges.push({ from, to: place(split), column }, { from: place(split), to, column });
  }
  const { dominates } = findDominators(edgeGraph(end, edges), 0);
  return (split, v) => dominates(place(split), v);
}

class Builder {
  readonly #size: number;
  /** Two outcomes of a node with the same branches share one split. */
  readonly #splits: readonly SplitIR[];
  readonly #contexts: Contexts;
  readonly #passes: (split: number, v: number) => boolean;
  readonly #arcs = {
    from: [] as number[],
    to: [] as number[],
    writes: [] as number[],
    error: [] as boolean[],
  };
  readonly #joins = { from: [] as number[], to: [] as number[] };
  readonly #splitBy = new Map<number, number>();
  readonly #branches: Branches;
  /** First slot of each split: the kinds of exits of each branch in turn, then their joins. */
  readonly #base: number[] = [];
  #slots: number;
  /** A worklist: stops whose outgoing arcs are still missing. */
  readonly #pending: Stop[] = [];
  readonly #known = new Set<number>();
  readonly #ending: Set<number>[] = [];
  /** The place of each target in the list, by split. */
  readonly #placeOf: readonly ReadonlyMap<Target, number>[];

  constructor(size: number, taken: readonly SplitIR[], flows: readonly Flow[]) {
    this.#size = size;
    const splits: SplitIR[] = [];
    for (const split of taken) {
      // The splits of one node stand side by side.
      if (!isSameSplit(splits.at(-1), split)) splits.push(split);
      this.#splitBy.set(outcomeKey(split.node, split.by), splits.length - 1);
    }
    this.#splits = splits;
    this.#placeOf = splits.map(({ targets }) => new Map(targets.map((target, i) => [target, i])));
    this.#passes = createPasses(size, flows, this.#splitBy);
    this.#branches = createBranches(size, splits);
    this.#contexts = createContexts(splits, this.#branches, this.#passes);
    this.#slots = size + 1;
    splits.forEach((split) => {
      const base = this.#slots;
      const count = split.targets.length;
      this.#base.push(base);
      this.#slots += KINDS * (count + 1);
      for (let kind = 0; kind < KINDS; kind++) {
        for (let branch = 0; branch < count; branch++) {
          this.#joins.from.push(base + KINDS * count + kind);
          this.#joins.to.push(base + KINDS * branch + kind);
        }
      }
      this.#ending.push(new Set());
    });
  }

  addFlow(flow: Flow): void {
    const via: Via = { from: flow.from, writes: flow.writes ? flow.from : -1, error: flow.error };
    const split = this.#splitBy.get(outcomeKey(flow.from, flow.column));
    const failure = flow.column === "failure";
    if (split === undefined) this.#lead(via, { from: flow.from, to: flow.to, failure });
    else this.#enter(split, via, flow);
  }

  /** An arc from the splitting node into a branch. A target outside of every branch is an exit at once. */
  #enter(split: number, via: Via, { to, column }: Flow): void {
    const branch = this.#branches.at(split, this.#placeOf[split]?.get(to) ?? 0);
    if (this.#contexts.owns(branch, to)) this.#arc(via, to);
    else this.#exit(branch, via, to, column === "failure");
  }

  /** Adds the arcs of an edge: one for each branch that its node runs in. */
  #lead(via: Via, edge: Way): void {
    const branches = this.#contexts.innermost(edge.from);
    if (branches.length === 0) this.#arc(via, edge.to);
    for (const branch of branches) this.#leadIn(branch, via, edge);
  }

  #leadIn(branch: BranchNumber, via: Via, edge: Way): void {
    for (let around = branch; ; around = this.#contexts.around(this.#branches.splitOf(around))) {
      if (around === NO_BRANCH || this.#contexts.owns(around, edge.to)) {
        this.#arc(via, edge.to);
        return;
      }
      this.#exit(around, via, edge.to, edge.failure);
      // An edge from elsewhere can enter this node: outside of the split it belongs to no branch.
      if (this.#passes(this.#branches.splitOf(around), edge.from)) return;
    }
  }

  #arc({ from, writes, error }: Via, to: Target): void {
    this.#arcs.from.push(from);
    this.#arcs.to.push(to === END ? this.#size : to);
    this.#arcs.writes.push(writes);
    this.#arcs.error.push(error);
  }

  #exit(branch: BranchNumber, via: Via, to: Target, failure: boolean): void {
    const split = this.#branches.splitOf(branch);
    const slot = (this.#base[split] as number) + KINDS * (branch - this.#branches.at(split, 0));
    const exit = (kind: ExitKind): void => this.#arc(via, slot + kind);
    exit(ALL);
    if (to === END) {
      exit(ORDINARY);
      exit(ENDS);
      const ending = this.#ending[split] as Set<number>;
      ending.add(branch);
      if (ending.size === (this.#splits[split] as SplitIR).targets.length)
        this.#stop({ split, node: END, kind: ENDS, error: false });
    } else {
      // A failure has priority: when the run continues over an ordinary edge, no branch has failed.
      if (!failure) exit(ORDINARY);
      this.#stop({ split, node: to, kind: failure ? ALL : ORDINARY, error: failure && via.error });
    }
  }

  #stop(stop: Stop): void {
    const { split, node, kind, error } = stop;
    const key = ((split * (this.#size + 1) + node + 1) * KINDS + kind) * 2 + Number(error);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#pending.push(stop);
  }

  /** Adds the arcs from each join to its stops, in the branch around the split. False when there are too many. */
  finish(): boolean {
    for (let stop = this.#pending.pop(); stop !== undefined; stop = this.#pending.pop()) {
      if (this.#known.size > mostStops(this.#size)) return false;
      const { node, targets } = this.#splits[stop.split] as SplitIR;
      const slot = (this.#base[stop.split] as number) + KINDS * targets.length + stop.kind;
      const failure = stop.kind === ALL;
      this.#lead({ from: slot, writes: -1, error: stop.error }, { from: node, to: stop.node, failure });
    }
    return true;
  }

  system(): FlowSystem {
    return { nodes: this.#size, slots: this.#slots, arcs: this.#arcs, joins: this.#joins };
  }
}
