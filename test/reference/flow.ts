import {
  type Column,
  chooses,
  columnFor,
  columnOf,
  END,
  fails,
  indices,
  nodeAt,
  type RefGraph,
  type RefNode,
  type Target,
} from "./graph.js";
import { type Split, splitsOf } from "./splits.js";

export interface UnsetOptions {
  /** Whether `custom` agents are known to signal failure, as only `compile` knows. */
  readonly customSignals?: boolean;
  /** As if no run ever ended right after a failure that no edge takes. */
  readonly successes?: boolean;
}

/** A set of field names. `a|b` stands for: none of `a` and `b` is set. */
export type Fields = ReadonlySet<string>;

const NONE: Fields = new Set();
/** Sets never change: where nothing comes to one, it serves again. */
const union = (one: Fields, other: Fields): Fields => {
  const added = [...other].filter((name) => !one.has(name));
  return added.length === 0 ? one : new Set([...one, ...added]);
};
/** Without some fields, and all of `a|b` that name one of them. */
export const minus = (one: Fields, gone: readonly string[]): Fields => {
  const isGone = (name: string): boolean =>
    name.includes("|") ? name.split("|").some((field) => gone.includes(field)) : gone.includes(name);
  const left = [...one].filter((name) => !isGone(name));
  return left.length === one.size ? one : new Set(left);
};
const unionOf = (sets: readonly Fields[]): Fields => sets.reduce(union, NONE);
const common = (sets: readonly Fields[]): Fields =>
  new Set([...(sets[0] ?? [])].filter((field) => sets.every((set) => set.has(field))));

/** A column that an outcome takes, with what that outcome leaves unset. No column: the run ends there. */
interface Flow {
  readonly column: Column | null;
  readonly after: (before: Fields) => Fields;
}

function flowsOf(from: RefNode, { customSignals = false, successes = false }: UnsetOptions): readonly Flow[] {
  // A person answers into the first output; what the others take may not come.
  const writes = from.agent === "human" ? from.writes.slice(0, 1) : from.writes;
  const all = (before: Fields): Fields => minus(before, writes);
  const failed = (before: Fields): Fields => {
    if (from.agent === "branching" || from.agent === "human") return minus(before, writes);
    return minus(before, from.agent === "failure" ? [...from.writes, "error"] : ["error"]);
  };
  const signals = ["branching", "failure", "human"].includes(from.agent);
  const flows: Flow[] = [];
  if (from.agent !== "failure") flows.push({ column: columnFor(from, "success"), after: all });
  if (from.onFailure.length > 0) flows.push({ column: "failure", after: failed });
  else if (signals || (customSignals && from.agent === "custom")) {
    const column = columnFor(from, "failure");
    if (!(successes && column === null && fails(from))) flows.push({ column, after: failed });
  }
  if (from.maxVisits !== null) flows.push({ column: "limit", after: (before) => before });
  return flows;
}

/** A way out of a stretch of the graph: into one of its stops, or to the end. */
interface Exit {
  readonly to: Target;
  readonly failure: boolean;
  readonly unset: Fields;
}

interface Walk {
  readonly graph: RefGraph;
  readonly options: UnsetOptions;
  readonly splits: readonly Split[];
  /** All that was found on arrival, over all companies. */
  readonly before: Map<number, Fields>;
  /** By node, the companies in which it was come to. */
  readonly companies: Map<number, Set<string>>;
  /** Some branch never comes to where the others wait for it: what follows is dead, though edges lead there. */
  deadJoin: boolean;
}

/** The stretch that begins at one node: the splits under way around it and the nodes that end it. */
interface Stretch {
  readonly company: string;
  readonly stops: ReadonlySet<number>;
}

/** Follows all ways from one node up to the stops: naive rounds until nothing changes. */
function follow(walk: Walk, start: { at: number; unset: Fields }, stretch: Stretch): readonly Exit[] {
  const local = new Map<number, Fields>([[start.at, start.unset]]);
  const exits = new Map<string, Exit>();
  const arrive = (exit: Exit): void => {
    const key = `${exit.to} ${exit.failure}`;
    if (exit.to !== END && !stretch.stops.has(exit.to))
      local.set(exit.to, union(local.get(exit.to) ?? NONE, exit.unset));
    else exits.set(key, { ...exit, unset: union(exits.get(key)?.unset ?? NONE, exit.unset) });
  };
  const size = (): string =>
    [...local.values(), ...[...exits.values()].map((exit) => exit.unset)].map((set) => set.size).join();
  for (let last = ""; last !== size(); ) {
    last = size();
    for (const [at, unset] of [...local]) {
      note(walk, at, { unset, company: stretch.company });
      for (const exit of leave(walk, { at, unset }, stretch)) arrive(exit);
    }
  }
  return [...exits.values()];
}

function note(walk: Walk, at: number, { unset, company }: { unset: Fields; company: string }): void {
  walk.before.set(at, union(walk.before.get(at) ?? NONE, unset));
  walk.companies.set(at, (walk.companies.get(at) ?? new Set()).add(company));
}

/** Where one node leads, splits settled. */
function leave(walk: Walk, from: { at: number; unset: Fields }, stretch: Stretch): readonly Exit[] {
  const source = nodeAt(walk.graph, from.at);
  return flowsOf(source, walk.options).flatMap(({ column, after }) => {
    const unset = after(from.unset);
    if (column === null) return [{ to: END, failure: false, unset }];
    const targets = columnOf(source, column);
    const split = walk.splits.find((candidate) => candidate.node === from.at && candidate.by === column);
    if (split === undefined || chooses(source))
      return targets.map((to) => ({ to, failure: column === "failure", unset }));
    return settle(walk, { split, unset }, stretch);
  });
}

/** The join of a split: what is unset where it may go on, and at its end. */
function settle(walk: Walk, from: { split: Split; unset: Fields }, stretch: Stretch): readonly Exit[] {
  const { split, unset } = from;
  const stops = new Set([...stretch.stops, ...split.shared]);
  const branches = split.targets.map((to, index): readonly Exit[] => {
    if (to === END || stops.has(to)) return [{ to, failure: split.by === "failure", unset }];
    return follow(
      walk,
      { at: to, unset },
      { company: `${stretch.company}/${branchName(split, index)}`, stops },
    );
  });
  const joinOf = (counts: (exit: Exit) => boolean): Fields =>
    common(branches.map((exits) => unionOf(exits.filter(counts).map((exit) => exit.unset))));
  const ordinary = joinOf((exit) => exit.to === END || !exit.failure);
  const comes = (exits: readonly Exit[]): boolean => exits.some((exit) => exit.to === END || !exit.failure);
  if (branches.some(comes) && !branches.every(comes)) walk.deadJoin = true;
  const arrivals = branches.flat().filter((exit) => exit.to !== END);
  const failed = minus(
    joinOf(() => true),
    ["error"],
  );
  const joined = arrivals.map((exit) => ({ ...exit, unset: exit.failure ? failed : ordinary }));
  const canEnd = branches.every((exits) => exits.some((exit) => exit.to === END));
  const ended = joinOf((exit) => exit.to === END);
  return canEnd ? [...joined, { to: END, failure: false, unset: ended }] : joined;
}

/** The name of a branch among the splits that are under way; both outcomes of a node may lead to the same ones. */
const branchName = ({ node, targets }: Split, branch: number): string =>
  `${node}: ${targets[branch]} of ${[...targets].sort().join()}`;

/** Each node runs in one company only, and in that of every split whose branch it belongs to. */
function isPlain({ splits, companies }: Walk): boolean {
  const within = (at: number, name: string): boolean =>
    [...(companies.get(at) ?? [])].every((company) => company.split("/").includes(name));
  const owned = splits.flatMap((split) =>
    split.branches.flatMap((own, branch) => own.map((at) => ({ at, name: branchName(split, branch) }))),
  );
  return (
    [...companies.values()].every((seen) => seen.size === 1) &&
    owned.every(({ at, name }) => within(at, name))
  );
}

/** Follows the whole graph when the given fields may be unset at its entry. */
export function followAll(graph: RefGraph, options: UnsetOptions, unsetAtEntry: Fields) {
  const walk: Walk = {
    graph,
    options,
    splits: splitsOf(graph),
    before: new Map(),
    companies: new Map(),
    deadJoin: false,
  };
  const exits = follow(walk, { at: 0, unset: unsetAtEntry }, { company: "", stops: new Set() });
  return {
    before: indices(graph).map((at) => walk.before.get(at) ?? null),
    atEnd: unionOf(exits.map((exit) => exit.unset)),
    plain: isPlain(walk) && !walk.deadJoin && exits.length > 0,
  };
}
