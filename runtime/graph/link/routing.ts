import { folded } from "../../../compiler/types/yes-no.js";
import type { Candidate, EdgeKind, GraphDefinition, NodeTable, Route, Target } from "../contract/contract.js";
import { DefinitionError } from "../contract/errors.js";
import { mergesByField } from "./by-field.js";
import { findOwned, type WrittenSplit } from "./owned.js";
import type { PreparedSplit } from "./table.js";

/** The target of an outcome: the index of a node, `END`, or `SPLIT - i` for split i. */
export const END = -1;
export const SPLIT = -2;

/** The targets of a node's outcomes. */
export interface Routing {
  readonly success: number;
  readonly failure: number;
  /** It has a failure edge, so throws are handled. Arriving over that edge decides in a split. */
  readonly failureEdge: boolean;
  /** A signalled failure has no edge, so the line ends there. */
  readonly failureOpen: boolean;
  readonly limit: number;
  /** For an agent that chooses: targets by name, as written and folded. */
  readonly choices: Choices | null;
  readonly candidates: readonly Candidate[];
}

export interface Choices {
  readonly targets: ReadonlyMap<string, number>;
  /** Null: an unknown name is an error of the agent. */
  readonly otherwise: number | null;
}

export interface PreparedRoutes {
  readonly routings: readonly Routing[];
  readonly splits: readonly PreparedSplit[];
  /** The next nodes of each node, in the order of ranks. */
  readonly children: () => readonly (readonly number[])[];
}

type AnyDefinition = GraphDefinition<NodeTable, string>;
type Find = (target: string | null) => number;

/** Turns the routes of a graph into indices. Cost: linear in nodes and edges. */
export function prepareRoutes(
  definition: AnyDefinition,
  names: readonly string[],
  indexOf: ReadonlyMap<string, number>,
): PreparedRoutes {
  const drafts: DraftSplit[] = [];
  const routeOf = (name: string): Route => definition.routes[name] ?? {};
  const findFrom =
    (from: string): Find =>
    (target) => {
      const index = target === null ? END : (indexOf.get(target) ?? (target === "END" ? END : undefined));
      if (index === undefined) throw new DefinitionError(`"${from}" leads to "${target}", which is no node`);
      return index;
    };
  const routings = names.map((name, node) => {
    const find = findFrom(name);
    return prepareRoute({ definition, name, node, route: routeOf(name), find, drafts });
  });
  const children = (): readonly (readonly number[])[] =>
    names.map((name) => childrenOf(routeOf(name), findFrom(name)));
  const owned = findOwned(drafts, (name) => indexOf.get(name) ?? END);
  const splits = drafts.map(({ branches: _, ...split }, i) => ({ ...split, owned: owned[i]! }));
  return { routings, splits, children };
}

interface Preparation {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly node: number;
  readonly route: Route;
  readonly find: Find;
  readonly drafts: DraftSplit[];
}

type DraftSplit = Omit<PreparedSplit, "owned"> & WrittenSplit;

function prepareRoute(preparation: Preparation): Routing {
  const { route, find } = preparation;
  const next = prepareTarget(preparation, "next");
  const success = prepareTarget(preparation, "success");
  const failure = prepareTarget(preparation, "failure");
  return {
    success: success ?? next ?? END,
    failure: failure ?? next ?? END,
    failureEdge: failure !== null,
    failureOpen: failure === null && next === null,
    limit: find(route.limit ?? null),
    choices: prepareChoices(preparation),
    candidates: prepareCandidates(preparation),
  };
}

const listOf = (target: Target<string> | undefined): readonly (string | null)[] =>
  target === undefined ? [] : typeof target === "string" || target === null ? [target] : target;

function prepareTarget(preparation: Preparation, edge: EdgeKind): number | null {
  const { definition, name, node, route, find, drafts } = preparation;
  const targets = [...new Set(listOf(route[edge]).map(find))];
  const branches = definition.splits?.[name]?.[edge];
  // A list without branches is a choice. A signalled failure chooses nothing, so it takes the first of the list.
  if (targets.length < 2 || branches === undefined) return targets[0] ?? null;
  drafts.push({ node, edge, targets, branches, merge: mergesByField(definition.nodes[name]?.merge) });
  return SPLIT - (drafts.length - 1);
}

/** The targets that an agent may choose from: those of its success outcome, unless they are a split. */
function listedBy({ definition, name, route }: Preparation): readonly (string | null)[] {
  const edge = route.success === undefined ? "next" : "success";
  return definition.splits?.[name]?.[edge] === undefined ? listOf(route[edge]) : [];
}

const NO_CANDIDATES: readonly Candidate[] = Object.freeze([]);

/** The end of the run is left out: an agent cannot choose it. */
function prepareCandidates(preparation: Preparation): readonly Candidate[] {
  const { route, find } = preparation;
  const { about = {} } = route;
  const listed = listedBy(preparation);
  if (route.about === undefined && listed.length < 2) return NO_CANDIDATES;
  const candidates = listed.flatMap((name) =>
    name === null || find(name) === END
      ? []
      : [Object.freeze({ name, about: Object.hasOwn(about, name) ? (about[name] ?? "") : "" })],
  );
  return Object.freeze(candidates);
}

function prepareChoices(preparation: Preparation): Choices | null {
  const { route, find } = preparation;
  const listed = listedBy(preparation);
  const isChoice = listed.length > 1;
  if (!isChoice && route.cases === undefined && route.otherwise === undefined) return null;
  const named = [
    ...listed.map((target) => [target ?? "END", target] as const),
    ...Object.entries(route.cases ?? {}),
  ];
  const targets = new Map<string, number>();
  for (const fold of [(text: string) => text.trim(), folded]) {
    for (const [value, target] of named) {
      if (!targets.has(fold(value))) targets.set(fold(value), find(target));
    }
  }
  return { targets, otherwise: route.otherwise === undefined ? null : find(route.otherwise) };
}

function childrenOf(route: Route, find: Find): readonly number[] {
  const lists = [route.next, route.success, route.failure].flatMap(listOf);
  const others = [...Object.values(route.cases ?? {}), route.otherwise, route.limit];
  return [...new Set([...lists, ...others.filter((target) => target !== undefined)].map(find))];
}

/**
 * The rank of each node: reverse postorder from the entry. Children are visited last to first, so that the targets of
 * a list keep their order. Unreachable nodes rank last. Cost: linear in nodes and edges; no recursion.
 */
export function rankNodes(entry: number, children: readonly (readonly number[])[]): readonly number[] {
  const ranks = new Array<number>(children.length).fill(Number.POSITIVE_INFINITY);
  const seen = new Uint8Array(children.length);
  const stack = [{ node: entry, left: children[entry]!.length }];
  seen[entry] = 1;
  let rank = children.length;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.left === 0) {
      rank -= 1;
      ranks[top.node] = rank;
      stack.pop();
      continue;
    }
    top.left -= 1;
    const child = children[top.node]![top.left]!;
    if (child < 0 || seen[child] === 1) continue;
    seen[child] = 1;
    stack.push({ node: child, left: children[child]!.length });
  }
  return ranks;
}
