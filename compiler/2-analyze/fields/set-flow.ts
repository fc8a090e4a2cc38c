import { type BranchNumber, createBranches, NO_BRANCH } from "../../branches.js";
import { END, type SplitIR, type Target } from "../../ir.js";
import { type Contexts, createContexts } from "../flow/contexts.js";
import { findDominators } from "../flow/dominators.js";
import { type Edge, edgeGraph, type Flow, outcomeKey } from "../flow/edges.js";

/** One way along which what is unset flows from slot to slot; what the node writes, and `error`, is taken off. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** The node whose writes are set on this way, or -1. */
  readonly writes: number;
  readonly error: boolean;
}

/** A slot whose value is what all of several slots have in common: the branches of a split have all come this far. */
export interface Join {
  readonly slot: number;
  readonly of: readonly number[];
}

/**
 * The equations behind "what may be unset where": a slot for each node (its arrival), one for the end, and for each
 * split three for each branch and three for all of them.
 */
export interface FlowSystem {
  /** The first slots are the nodes', by their numbers. */
  readonly nodes: number;
  readonly slots: number;
  readonly arcs: readonly Arc[];
  readonly joins: readonly Join[];
}

/** Exits of a branch: over ordinary edges and ends, all of them, and ends alone. */
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

interface Via {
  readonly slot: number;
  readonly writes: number;
  readonly error: boolean;
}

/** Builds the equations for the splits that a run can take. Linear in the edges and the stops. */
export function createFlowSystem(
  size: number,
  flows: readonly Flow[],
  splits: readonly SplitIR[],
): FlowSystem {
  const outcomes = new Set(flows.map(({ from, column }) => outcomeKey(from, column)));
  const taken = onlyTaken(size, splits, ({ node, by }) => outcomes.has(outcomeKey(node, by)));
  const builder = new Builder(size, taken, flows);
  for (const flow of flows) builder.addFlow(flow);
  builder.finish();
  return builder.system();
}

/** The splits that a run can take. What the branches of others own is owned by the branches around those. */
function onlyTaken(
  size: number,
  splits: readonly SplitIR[],
  isTaken: (split: SplitIR) => boolean,
): readonly SplitIR[] {
  const taken = splits.map(isTaken);
  if (!taken.includes(false)) return splits;
  const { at, around, splitOf } = createBranches(size, splits);
  const own = new Map<BranchNumber, number[]>();
  splits.forEach(({ branches }, split) => {
    branches.forEach((branch, place) => {
      let owner = at(split, place);
      while (owner !== NO_BRANCH && taken[splitOf(owner)] === false) owner = around(owner);
      own.set(owner, [...(own.get(owner) ?? []), ...branch.own]);
    });
  });
  return splits.flatMap((split, i) => {
    if (taken[i] === false) return [];
    const branches = split.branches.map((branch, place) => ({ ...branch, own: own.get(at(i, place)) ?? [] }));
    return [{ ...split, branches }];
  });
}

/** Two outcomes of one node lead to the same targets, in whatever order. */
function isSameSplit(one: SplitIR | undefined, other: SplitIR): boolean {
  if (one?.node !== other.node || one.targets.length !== other.targets.length) return false;
  const targets = new Set(one.targets);
  return other.targets.every((target) => targets.has(target));
}

/** Whether every way to a node passes a split: each split is a place of its own between its node and its targets. */
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
  /** Both outcomes of a node may lead to the same branches: then one split stands for the two. */
  readonly #splits: readonly SplitIR[];
  readonly #contexts: Contexts;
  readonly #passes: (split: number, v: number) => boolean;
  readonly #arcs: Arc[] = [];
  readonly #joins: Join[] = [];
  readonly #splitBy = new Map<number, number>();
  readonly #splitOf: (branch: BranchNumber) => number;
  readonly #branchAt: (split: number, place: number) => BranchNumber;
  /** First slot of each split: the kinds of exits of each branch in turn, then their joins. */
  readonly #base: number[] = [];
  #slots: number;
  /** Stops found and not yet led on. */
  readonly #pending: { readonly split: number; readonly node: Target; readonly kind: ExitKind }[] = [];
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
    const branches = createBranches(size, splits);
    this.#splitOf = branches.splitOf;
    this.#branchAt = branches.at;
    this.#contexts = createContexts(splits, branches, this.#passes);
    this.#slots = size + 1;
    splits.forEach((split) => {
      const base = this.#slots;
      const count = split.targets.length;
      this.#base.push(base);
      this.#slots += KINDS * (count + 1);
      for (let kind = 0; kind < KINDS; kind++) {
        const of = split.targets.map((_, branch) => base + KINDS * branch + kind);
        this.#joins.push({ slot: base + KINDS * count + kind, of });
      }
      this.#ending.push(new Set());
    });
  }

  addFlow(flow: Flow): void {
    const via: Via = { slot: flow.from, writes: flow.writes ? flow.from : -1, error: flow.error };
    const split = this.#splitBy.get(outcomeKey(flow.from, flow.column));
    const failure = flow.column === "failure";
    if (split === undefined) this.#lead(via, { from: flow.from, to: flow.to, failure });
    else this.#enter(split, via, flow);
  }

  /** From the splitting node into its branches: a target that is shared is arrived at straight away. */
  #enter(split: number, via: Via, { to, column }: Flow): void {
    const branch = this.#branchAt(split, this.#placeOf[split]?.get(to) ?? 0);
    if (this.#contexts.owns(branch, to)) this.#arc(via, to);
    else this.#exit(branch, via, to, column === "failure");
  }

  /** Leads what is unset from a node along an edge: on in each branch that the node runs in, or out of it. */
  #lead(via: Via, edge: Way): void {
    const branches = this.#contexts.innermost(edge.from);
    if (branches.length === 0) this.#arc(via, edge.to);
    for (const branch of branches) this.#leadIn(branch, via, edge);
  }

  #leadIn(branch: BranchNumber, via: Via, edge: Way): void {
    for (let around = branch; ; around = this.#contexts.around(this.#splitOf(around))) {
      if (around === NO_BRANCH || this.#contexts.owns(around, edge.to)) {
        this.#arc(via, edge.to);
        return;
      }
      this.#exit(around, via, edge.to, edge.failure);
      // A node that a run can also come to without the split is no branch's then.
      if (this.#passes(this.#splitOf(around), edge.from)) return;
    }
  }

  #arc(via: Via, to: Target): void {
    this.#arcs.push({
      from: via.slot,
      to: to === END ? this.#size : to,
      writes: via.writes,
      error: via.error,
    });
  }

  #exit(branch: BranchNumber, via: Via, to: Target, failure: boolean): void {
    const split = this.#splitOf(branch);
    const slot = (this.#base[split] as number) + KINDS * (branch - this.#branchAt(split, 0));
    const exit = (kind: ExitKind): void => {
      this.#arcs.push({ from: via.slot, to: slot + kind, writes: via.writes, error: via.error });
    };
    exit(ALL);
    if (to === END) {
      exit(ORDINARY);
      exit(ENDS);
      const ending = this.#ending[split] as Set<number>;
      ending.add(branch);
      if (ending.size === (this.#splits[split] as SplitIR).targets.length) this.#stop(split, END, ENDS);
    } else {
      // A failure decides: whoever arrives over an ordinary edge finds no branch that failed.
      if (!failure) exit(ORDINARY);
      this.#stop(split, to, failure ? ALL : ORDINARY);
    }
  }

  #stop(split: number, node: Target, kind: ExitKind): void {
    const key = (split * (this.#size + 1) + node + 1) * KINDS + kind;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#pending.push({ split, node, kind });
  }

  /** From where all branches have come to, on to each stop: in the branch that the split itself stands in. */
  finish(): void {
    for (let stop = this.#pending.pop(); stop !== undefined; stop = this.#pending.pop()) {
      const { node, targets } = this.#splits[stop.split] as SplitIR;
      const slot = (this.#base[stop.split] as number) + KINDS * targets.length + stop.kind;
      const failure = stop.kind === ALL;
      this.#lead({ slot, writes: -1, error: failure }, { from: node, to: stop.node, failure });
    }
  }

  system(): FlowSystem {
    return { nodes: this.#size, slots: this.#slots, arcs: this.#arcs, joins: this.#joins };
  }
}
