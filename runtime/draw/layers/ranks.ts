import { createDigraph, searchDepthFirst } from "../../../compiler/2-analyze/flow/digraph.js";

/** Links between figures by their numbers. */
export interface Net {
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export interface Ranks {
  /** The figures of each rank. A link leads to a later rank, unless it closes a cycle. */
  readonly ranks: readonly number[][];
  /** 1 for each link that leads back. */
  readonly isBack: Uint8Array;
}

/** Each figure stands one rank below the lowest that leads to it. Linear. */
export function rankFigures({ size, from, to }: Net): Ranks {
  const graph = createDigraph(size, { from, to });
  const order = searchDepthFirst(graph, new Int32Array(size).keys()).left.toReversed();
  const place = new Int32Array(size);
  for (const [i, v] of order.entries()) place[v] = i;
  const isAfter = (w: number, v: number): boolean => (place[w] as number) > (place[v] as number);
  const rank = new Int32Array(size);
  const ranks: number[][] = [];
  for (const v of order) {
    const own = rank[v] as number;
    ranks[own] ??= [];
    ranks[own].push(v);
    for (let i = graph.start[v] as number; i < (graph.start[v + 1] as number); i++) {
      const w = graph.to[i] as number;
      if (isAfter(w, v)) rank[w] = Math.max(rank[w] as number, own + 1);
    }
  }
  return { ranks, isBack: Uint8Array.from(from, (v, i) => (isAfter(to[i] as number, v) ? 0 : 1)) };
}

const SWEEPS = 4;

/** Puts each figure near the middle of those that it is linked with, from above and from below by turns. O(n log n). */
export function sortRanks(ranks: readonly number[][], { size, from, to }: Net): void {
  const [below, above] = [createDigraph(size, { from, to }), createDigraph(size, { from: to, to: from })];
  const place = new Float64Array(size);
  const settle = (rank: readonly number[]): void => {
    for (const [i, v] of rank.entries()) place[v] = i - (rank.length - 1) / 2;
  };
  for (const rank of ranks) settle(rank);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const { start, to: ends } = sweep % 2 === 0 ? above : below;
    const middleOf = (v: number): number => {
      const [first, last] = [start[v] as number, start[v + 1] as number];
      let sum = 0;
      for (let i = first; i < last; i++) sum += place[ends[i] as number] as number;
      return first === last ? (place[v] as number) : sum / (last - first);
    };
    for (const rank of sweep % 2 === 0 ? ranks : ranks.toReversed()) {
      const middles = new Map(rank.map((v) => [v, middleOf(v)]));
      rank.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
      settle(rank);
    }
  }
}
