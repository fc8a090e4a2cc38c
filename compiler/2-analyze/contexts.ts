import type { SplitIR } from "../ir.js";

/** A branch of a split in which a node runs alone. */
export interface Context {
  readonly split: number;
  readonly branch: number;
}

/** Which branches a node runs in, and how they nest. */
export interface Contexts {
  /** All branches that a node belongs to. */
  readonly of: (v: number) => readonly Context[];
  /** Of some branches, those that enclose no other of them. */
  readonly innermost: (contexts: readonly Context[]) => readonly Context[];
  /** Of some branches, one itself and those around it. */
  readonly chain: (contexts: readonly Context[], context: Context) => readonly Context[];
  readonly owns: (context: Context, v: number) => boolean;
}

const NONE: readonly Context[] = [];

/** Linear in the regions; nesting is asked for on demand, among the few branches of one node. */
export function createContexts(
  splits: readonly SplitIR[],
  passes: (split: number, v: number) => boolean,
): Contexts {
  const branchOf = splits.map((split) => {
    const own = new Map<number, number>();
    split.branches.forEach((nodes, branch) => {
      for (const v of nodes) own.set(v, branch);
    });
    return own;
  });
  const byNode = new Map<number, Context[]>();
  branchOf.forEach((own, split) => {
    for (const [v, branch] of own) {
      const contexts = byNode.get(v);
      if (contexts === undefined) byNode.set(v, [{ split, branch }]);
      else contexts.push({ split, branch });
    }
  });
  const holds = (outer: number, inner: number): boolean =>
    branchOf[outer]?.has((splits[inner] as SplitIR).node) === true;
  const encloses = (outer: number, inner: number): boolean => {
    if (outer === inner || !holds(outer, inner)) return false;
    if (!holds(inner, outer)) return true;
    // In a loop each may stand in a branch of the other: the one that a run comes to first is the outer one.
    const before = (a: number, b: number): boolean => passes(a, (splits[b] as SplitIR).node);
    return before(outer, inner) || (!before(inner, outer) && outer < inner);
  };
  const owns = (context: Context, v: number): boolean => branchOf[context.split]?.get(v) === context.branch;
  // Where a split around another one stops, the inner one stops too: a node beyond belongs to neither.
  const around = splits.map(({ node }, inner) =>
    (byNode.get(node) ?? NONE).filter(({ split }) => encloses(split, inner) && passes(split, node)),
  );
  for (const [v, contexts] of byNode) {
    const held = contexts.filter(({ split }) => around[split]?.every((outer) => owns(outer, v)));
    if (held.length < contexts.length) byNode.set(v, held);
  }
  return {
    of: (v) => byNode.get(v) ?? NONE,
    innermost: (contexts) =>
      contexts.length < 2
        ? contexts
        : contexts.filter((c) => !contexts.some((d) => encloses(c.split, d.split))),
    chain: (contexts, context) => contexts.filter((c) => c === context || encloses(c.split, context.split)),
    owns,
  };
}
