import { END, type FieldIR, type GraphIR, type NodeIR, type Target } from "../ir.js";

/**
 * Sorts the nodes in reverse postorder from the entry; unreachable nodes come last, by name.
 * The order of rows has no meaning, so it must not change a module. Linear, but for the sort of unreachable nodes.
 */
export function inFlowOrder(graph: GraphIR): GraphIR {
  const order = flowOrder(graph);
  const place = new Int32Array(graph.nodes.length);
  for (const [index, node] of order.entries()) place[node] = index;
  const moved = (target: Target): Target => (target === END ? END : (place[target] ?? END));
  const sorted = (nodes: readonly number[]): readonly number[] => nodes.map(moved).sort((a, b) => a - b);
  const isInOrder = order.every((node, index) => node === index);
  const nodes = isInOrder ? graph.nodes : order.map((node) => moveNode(graph.nodes[node]!, moved));
  const fields = graph.fields.map((field) => ({
    ...field,
    writers: sorted(field.writers),
    readers: sorted(field.readers),
  }));
  const splits = graph.splits.map((split) => ({
    ...split,
    node: moved(split.node),
    targets: split.targets.map(moved),
    meet: moved(split.meet),
    branches: split.branches.map(({ own, others, stops }) => ({
      own: sorted(own),
      others: sorted(others),
      stops: sorted(stops),
    })),
  }));
  const bySplit = (a: GraphIR["splits"][number], b: GraphIR["splits"][number]): number =>
    a.node - b.node || (a.by < b.by ? -1 : 1);
  return { ...graph, nodes, fields: inUseOrder(nodes, fields), splits: splits.sort(bySplit) };
}

function moveNode(node: NodeIR, moved: (target: Target) => Target): NodeIR {
  return {
    ...node,
    onLimit: moved(node.onLimit),
    next: node.next.map(moved),
    onSuccess: node.onSuccess.map(moved),
    onFailure: node.onFailure.map(moved),
    cases: node.cases.map(({ value, target }) => ({ value, target: moved(target) })),
    otherwise: node.otherwise === null ? null : moved(node.otherwise),
    candidates: node.candidates.map(({ target, about }) => ({ target: moved(target), about })),
  };
}

/** Fields in the order in which they are first read or written. */
function inUseOrder(nodes: readonly NodeIR[], fields: readonly FieldIR[]): readonly FieldIR[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const used = new Set<string>();
  for (const { reads, writes } of nodes) {
    for (const { field } of reads) used.add(field);
    for (const { field } of writes) used.add(field);
  }
  const others = fields.filter(({ name }) => !used.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...[...used].flatMap((name) => byName.get(name) ?? []), ...others];
}

/** Reverse postorder from the entry. No recursion: a sheet may be one long chain. */
function flowOrder({ nodes }: GraphIR): readonly number[] {
  const seen = new Uint8Array(nodes.length);
  const finished: number[] = [];
  const open: { readonly node: number; readonly children: readonly Target[]; next: number }[] = [];
  const begin = (node: number): void => {
    seen[node] = 1;
    open.push({ node, children: childrenOf(nodes[node]!), next: 0 });
  };
  if (nodes.length > 0) begin(0);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.children[top.next++];
    if (child === undefined) {
      finished.push(top.node);
      open.pop();
    } else if (child !== END && seen[child] === 0) begin(child);
  }
  const lost = [...nodes.keys()].filter((node) => seen[node] === 0);
  lost.sort((a, b) => (nodes[a]!.name < nodes[b]!.name ? -1 : 1));
  return [...finished.reverse(), ...lost];
}

/** Reversed, since postorder is reversed too: the first target then comes first. */
function childrenOf(node: NodeIR): readonly Target[] {
  const { next, onSuccess, onFailure, cases, otherwise, maxVisits, onLimit } = node;
  return [
    ...next,
    ...onSuccess,
    ...cases.map(({ target }) => target),
    ...(otherwise === null ? [] : [otherwise]),
    ...onFailure,
    ...(maxVisits === null ? [] : [onLimit]),
  ].reverse();
}
