import type { GraphIR, NodeIR, ReadIR, WriteIR } from "../ir.js";
import { isCopier } from "./builtin-agents.js";
import { mergesOf } from "./merges.js";
import { writesTo } from "./outputs.js";

/**
 * The fields that may be unset after every node that writes them: what the node may leave out, such as a field that the
 * graph that it runs does not set at each end, and copies of what may be unset. Linear in the writes.
 */
export function unsetCopies(graph: GraphIR): ReadonlySet<string> {
  const found = known.get(graph) ?? findUnset(graph);
  known.set(graph, found);
  return found;
}

const known = new WeakMap<GraphIR, ReadonlySet<string>>();

function findUnset(graph: GraphIR): ReadonlySet<string> {
  const merges = mergesOf(graph);
  /** How many writes of a field are not known to write nothing, and which fields are copied from one. */
  const left = new Map<string, number>();
  const copies = new Map<string, string[]>();
  const open: string[] = [];
  const unset = new Set<string>();
  const settle = (field: string): void => {
    const count = (left.get(field) ?? 0) - 1;
    left.set(field, count);
    if (count === 0) open.push(field);
  };
  for (const { name, writers, input } of graph.fields) {
    const writes = writers.flatMap((v) =>
      writesTo(graph.nodes[v]!, name).map((write) => ({
        v,
        sure: write.sure,
        read: copiedRead(graph.nodes[v]!, write),
      })),
    );
    const mayBeMissing = writes.every(
      ({ v, sure, read }) => (!sure || read !== null) && merges.around(v, name).length === 0,
    );
    if (writes.length === 0 || !mayBeMissing || input === "required" || name === "error") continue;
    left.set(name, writes.length);
    for (const { sure, read } of writes) {
      if (!sure) settle(name);
      if (read === null) continue;
      if (!read.sure || read.optional) settle(name);
      else if (read.path.length === 0) copies.set(read.field, [...(copies.get(read.field) ?? []), name]);
    }
  }
  for (let field = open.pop(); field !== undefined; field = open.pop()) {
    unset.add(field);
    for (const copy of copies.get(field) ?? []) settle(copy);
  }
  return unset;
}

/** The read that an agent gives as it is; null for an output that is made of something else. */
function copiedRead({ agent, prompt, reads }: NodeIR, { key }: WriteIR): ReadIR | null {
  if (!agent.builtin || prompt !== null || agent.type === "graph" || !isCopier(agent.type)) return null;
  const [only] = reads;
  return (reads.length === 1 ? only : reads.find(({ param }) => param === key)) ?? null;
}
