/**
 * The rank of each node: reverse postorder from the entry. Children are walked last to first, so that the
 * targets of a list rank in the order of the list when nothing else orders them. Nodes that the entry does not
 * lead to rank last. Cost: linear in nodes and edges; no recursion.
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
