import fc from "fast-check";
import {
  type AgentKind,
  END,
  node,
  type RefGraph,
  type RefNode,
  type Target,
} from "../../reference/graph.js";
import { finish, type GraphSize, type Spice, spiceArb } from "./spice.js";

/** A block of a graph with one way in; its ways out are tied to what follows it. */
type Block =
  | { readonly kind: "one"; readonly spice: Spice }
  | { readonly kind: "chain"; readonly parts: readonly Block[] }
  | {
      readonly kind: "split";
      readonly column: number;
      readonly spice: Spice;
      readonly parts: readonly Block[];
    }
  | { readonly kind: "choice"; readonly spice: Spice; readonly parts: readonly Block[] }
  | { readonly kind: "loop"; readonly limit: boolean; readonly spice: Spice; readonly body: Block };

function blockArb(agents: readonly AgentKind[], acyclic: boolean): fc.Arbitrary<Block> {
  const spice = spiceArb(agents);
  const { block } = fc.letrec<{ block: Block }>((tie) => {
    const parts = fc.array(tie("block"), { minLength: 2, maxLength: 3 });
    const one = fc.record({ kind: fc.constant("one" as const), spice });
    const chain = fc.record({ kind: fc.constant("chain" as const), parts });
    const split = fc.record({ kind: fc.constant("split" as const), column: fc.nat(3), spice, parts });
    const choice = fc.record({ kind: fc.constant("choice" as const), spice, parts });
    const loop = fc.record({
      kind: fc.constant("loop" as const),
      limit: fc.boolean(),
      spice,
      body: tie("block"),
    });
    return {
      block: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        one,
        split,
        chain,
        choice,
        ...(acyclic ? [] : [loop]),
      ),
    };
  });
  return block;
}

/** The nodes laid down so far. */
interface Layout {
  readonly nodes: { spice: Spice; part: Partial<RefNode> }[];
  readonly limit: number;
}

function add(layout: Layout, spice: Spice, part: Partial<RefNode>): number {
  layout.nodes.push({ spice, part });
  return layout.nodes.length - 1;
}

function setPart(layout: Layout, at: number, part: Partial<RefNode>): void {
  const slot = layout.nodes[at];
  if (slot !== undefined) slot.part = part;
}

/** Lays a block down before `follow` and returns its first node; what is past the limit is left out. */
function put(layout: Layout, block: Block, follow: Target): Target {
  if (layout.nodes.length >= layout.limit) return follow;
  if (block.kind === "one") return add(layout, block.spice, { next: [follow] });
  if (block.kind === "chain")
    return block.parts.reduceRight((after, part) => put(layout, part, after), follow);
  if (block.kind === "loop") return putLoop(layout, block, follow);
  const at = add(layout, block.spice, {});
  const targets = [...new Set(block.parts.map((part) => put(layout, part, follow)))];
  setPart(layout, at, block.kind === "choice" ? choiceOf(targets) : splitOf(block.column, targets));
  return at;
}

function putLoop(layout: Layout, block: Extract<Block, { kind: "loop" }>, follow: Target): Target {
  const test = add(layout, block.spice, {});
  const first = put(layout, block.body, test);
  const limited = { next: [first], maxVisits: block.spice.maxVisits, onLimit: follow };
  const asking = { agent: "branching" as const, onSuccess: [follow], onFailure: [first] };
  setPart(layout, test, block.limit ? limited : asking);
  return first;
}

const choiceOf = (targets: readonly Target[]): Partial<RefNode> => {
  const real = targets.filter((target) => target !== END);
  // A choice among nothing but END, or with END among the names, is left to plain nodes.
  return real.length === 0 ? { next: [END] } : { agent: "switch", next: real };
};

const splitOf = (column: number, targets: readonly Target[]): Partial<RefNode> => {
  if (column === 0) return { next: targets };
  if (column === 1) return { onSuccess: targets };
  if (column === 2) return { next: targets, onFailure: targets };
  return { next: targets.slice(0, 1), onFailure: targets };
};

/** Numbers nodes anew so that the entry is 0, and lays out handlers behind. */
function graphFrom(block: Block, spices: readonly Spice[], options: GraphSize): RefGraph {
  const layout: Layout = { nodes: [], limit: options.maxNodes - Math.min(2, spices.length) };
  const entry = put(layout, block, END);
  const bodies = layout.nodes.length;
  const handlers = spices.slice(0, 2).map((spice) => add(layout, spice, handlerEnds(spice, bodies)));
  const swap = (target: Target): Target =>
    target === entry ? 0 : target === 0 ? Math.max(entry, 0) : target;
  const graph = {
    nodes: layout.nodes.map(({ spice, part }, at) => finish({ spice, part, at }, { bodies, handlers })),
  };
  return withoutBackEdges(renumber(graph, swap), options.acyclic);
}

const handlerEnds = (spice: Spice, bodies: number): Partial<RefNode> =>
  spice.failure.to === "any" && bodies > 0 ? { next: [spice.failure.pick % bodies] } : { next: [END] };

function renumber(graph: RefGraph, swap: (target: Target) => Target): RefGraph {
  const moved = graph.nodes.map((from) => moveTargets(from, (targets) => targets.map(swap)));
  const nodes = moved.map((_, index) => moved[swap(index)] ?? node());
  return { nodes };
}

function moveTargets(from: RefNode, move: (targets: readonly Target[]) => readonly Target[]): RefNode {
  return {
    ...from,
    next: move(from.next),
    onSuccess: move(from.onSuccess),
    onFailure: move(from.onFailure),
    onLimit: move([from.onLimit])[0] ?? END,
  };
}

/** Drops each edge that closes a cycle, when there must be none. */
function withoutBackEdges(graph: RefGraph, wanted: boolean): RefGraph {
  if (!wanted) return graph;
  const nodes: RefNode[] = graph.nodes.map((from) => ({ ...moveTargets(from, () => []), maxVisits: null }));
  graph.nodes.forEach((from, at) => {
    for (const column of ["next", "onSuccess", "onFailure"] as const)
      for (const to of from[column]) {
        const slot = nodes[at];
        if (slot !== undefined && (to === END || !leads(nodes, to, at)))
          nodes[at] = { ...slot, [column]: [...slot[column], to] };
      }
  });
  return { nodes };
}

function leads(nodes: readonly RefNode[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === to) return true;
    const source = nodes[at];
    if (seen.has(at) || source === undefined) continue;
    seen.add(at);
    waiting.push(...source.next, ...source.onSuccess, ...source.onFailure);
  }
  return false;
}

/** Graphs made of blocks: chains, splits, choices and loops in each other, with handlers shared at random. */
export function blockGraph(options: GraphSize): fc.Arbitrary<RefGraph> {
  return fc
    .tuple(blockArb(options.agents, options.acyclic), fc.array(spiceArb(options.agents), { maxLength: 2 }))
    .map(([block, handlers]) => graphFrom(block, handlers, options))
    .filter((graph) => graph.nodes.length > 0);
}
