import { END, type GraphIR, type NodeIR, type Target } from "../../ir.js";

/** Where a node leads to, with the nodes that it names each once. */
export function targetsOf(node: NodeIR): readonly Target[] {
  const { next, onSuccess, onFailure, cases, otherwise, maxVisits, onLimit } = node;
  const chosen = [...cases.map(({ target }) => target), ...(otherwise === null ? [] : [otherwise])];
  const limit = maxVisits === null ? [] : [onLimit];
  return [...new Set([...next, ...onSuccess, ...onFailure, ...chosen, ...limit])];
}

/** A way from the entry to a node or the end on which no node writes a field; null where this look finds none. */
export function wayWithout(graph: GraphIR, field: string, to: Target): readonly string[] | null {
  const before = new Map<number, number>([[0, -1]]);
  const pending = [0];
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    const node = graph.nodes[at];
    if (node === undefined) continue;
    const targets = unwritten(node, field);
    if (at === to || (to === END && (targets.includes(END) || endsUnwritten(node, field))))
      return nodesOn(graph, before, at);
    for (const target of targets) {
      if (target === END || before.has(target)) continue;
      before.set(target, at);
      pending.push(target);
    }
  }
  return null;
}

const endsUnwritten = (node: NodeIR, field: string): boolean =>
  targetsOf(node).length === 0 && !surelyWrites(node, field);

const surelyWrites = ({ writes }: NodeIR, field: string): boolean =>
  writes.some((write) => write.field === field && write.sure);

/** What a node leads to without having written the field: a node that throws writes nothing. */
function unwritten(node: NodeIR, field: string): readonly Target[] {
  if (!surelyWrites(node, field)) return targetsOf(node);
  return [...node.onFailure, ...(node.maxVisits === null ? [] : [node.onLimit])];
}

function nodesOn({ nodes }: GraphIR, before: ReadonlyMap<number, number>, to: number): readonly string[] {
  const way: string[] = [];
  for (let at: number | undefined = to; at !== undefined && at >= 0; at = before.get(at))
    way.unshift(nodes[at]?.name ?? "");
  return way;
}
