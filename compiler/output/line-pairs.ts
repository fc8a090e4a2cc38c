/** A stretch of equal lines, by their numbers in both texts. */
export interface EqualRun {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

type Lines = readonly string[];
type Pair = readonly [from: number, to: number];

/** A stretch of lines in each text; the ends are exclusive. */
interface Region {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

/** Edits that are looked for between two anchors before the stretch is taken as rewritten. */
const MAX_EDITS = 400;

/**
 * The lines that two texts have in common, in order. Lines that stand once in both anchor the comparison
 * (patience); between two anchors the shortest edit is looked for, up to a bound. Cost: n log n for the
 * anchors; for a stretch between them its lines plus the square of its edits, which are bounded.
 */
export function equalRuns(from: Lines, to: Lines): readonly EqualRun[] {
  const pairs: Pair[] = [];
  let fromStart = 0;
  let toStart = 0;
  for (const [fromEnd, toEnd] of [...anchorsOf(from, to), [from.length, to.length] as const]) {
    pairs.push(...pairsIn(from, to, { fromStart, fromEnd, toStart, toEnd }));
    if (fromEnd < from.length && toEnd < to.length) pairs.push([fromEnd, toEnd]);
    fromStart = fromEnd + 1;
    toStart = toEnd + 1;
  }
  return runsOf(pairs);
}

/** Pairs of lines that stand once in each text, as many as keep their order in both. */
function anchorsOf(from: Lines, to: Lines): readonly Pair[] {
  const inTo = singles(to);
  const pairs: Pair[] = [];
  for (const [line, index] of singles(from)) {
    const other = inTo.get(line);
    if (other !== undefined) pairs.push([index, other]);
  }
  return ascending(pairs);
}

/** Where each line stands that is there only once; in the order of the lines. */
function singles(lines: Lines): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) repeated.add(line);
    else found.set(line, index);
  }
  for (const line of repeated) found.delete(line);
  return found;
}

/** The longest choice of pairs whose second numbers ascend as their first ones do. */
function ascending(pairs: readonly Pair[]): readonly Pair[] {
  // piles[k] is the pair with the smallest second number that ends a choice of k + 1 pairs.
  const piles: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [, to]] of pairs.entries()) {
    const pile = firstPile(piles, (top) => (pairs[top]?.[1] ?? 0) > to);
    before[index] = pile === 0 ? -1 : (piles[pile - 1] ?? -1);
    piles[pile] = index;
  }
  const chosen: Pair[] = [];
  for (let index = piles.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) chosen.push(pair);
  }
  return chosen.reverse();
}

function firstPile(piles: readonly number[], fits: (top: number) => boolean): number {
  let low = 0;
  let high = piles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(piles[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Equal lines of a region: those at its ends, and the shortest edit of what is between. */
function* pairsIn(from: Lines, to: Lines, region: Region): Iterable<Pair> {
  let { fromStart, fromEnd, toStart, toEnd } = region;
  while (fromStart < fromEnd && toStart < toEnd && from[fromStart] === to[toStart])
    yield [fromStart++, toStart++];
  let tail = 0;
  while (fromStart < fromEnd && toStart < toEnd && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd--;
    toEnd--;
    tail++;
  }
  yield* shortestEdit(from, to, { fromStart, fromEnd, toStart, toEnd });
  for (let index = 0; index < tail; index++) yield [fromEnd + index, toEnd + index];
}

/** Myers' greedy search, by diagonals; no pairs when more than `MAX_EDITS` would be needed. */
function shortestEdit(from: Lines, to: Lines, region: Region): readonly Pair[] {
  const rows = region.fromEnd - region.fromStart;
  const columns = region.toEnd - region.toStart;
  if (rows === 0 || columns === 0) return [];
  const same = (x: number, y: number): boolean => from[region.fromStart + x] === to[region.toStart + y];
  const trace: Int32Array[] = [];
  // furthest[k + offset] is how far the search came in `from` on diagonal k.
  const offset = MAX_EDITS + 1;
  const furthest = new Int32Array(2 * offset + 1);
  for (let edits = 0; edits <= Math.min(MAX_EDITS, rows + columns); edits++) {
    trace.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = goesDown(furthest, offset, edits, diagonal);
      let x = down ? (furthest[offset + diagonal + 1] ?? 0) : (furthest[offset + diagonal - 1] ?? 0) + 1;
      while (x < rows && x - diagonal < columns && same(x, x - diagonal)) x++;
      furthest[offset + diagonal] = x;
      if (x >= rows && x - diagonal >= columns) return walkBack(trace, region);
    }
  }
  return [];
}

/** Whether the way to a diagonal came by an inserted line. */
function goesDown(furthest: Int32Array, offset: number, edits: number, diagonal: number): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return (furthest[offset + diagonal - 1] ?? 0) < (furthest[offset + diagonal + 1] ?? 0);
}

function walkBack(trace: readonly Int32Array[], region: Region): readonly Pair[] {
  const pairs: Pair[] = [];
  let x = region.fromEnd - region.fromStart;
  let y = region.toEnd - region.toStart;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits] ?? new Int32Array();
    const offset = edits + 1;
    const diagonal = x - y;
    const down = goesDown(furthest, offset, edits, diagonal);
    const came = edits === 0 ? 0 : diagonal + (down ? 1 : -1);
    const beforeX = edits === 0 ? 0 : (furthest[offset + came] ?? 0);
    const startX = edits === 0 ? 0 : beforeX + (down ? 0 : 1);
    while (x > startX) {
      x--;
      y--;
      pairs.push([region.fromStart + x, region.toStart + y]);
    }
    x = beforeX;
    y = beforeX - came;
  }
  return pairs.reverse();
}

function runsOf(pairs: readonly Pair[]): readonly EqualRun[] {
  const runs: { from: number; to: number; length: number }[] = [];
  for (const [from, to] of pairs) {
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.length === from && last.to + last.length === to) last.length++;
    else runs.push({ from, to, length: 1 });
  }
  return runs;
}
