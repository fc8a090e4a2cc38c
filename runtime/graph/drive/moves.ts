import type { Arrival, Line } from "./run.js";

/** No node: the line does not continue here. */
export const NOWHERE = -1;

/**
 * Moves a line to the node it reached. The result is NOWHERE when the line stops there or must wait for its turn; the
 * place is then noted.
 */
export function moveTo(line: Line, node: number, failure: boolean): number {
  if (line.within !== null && isStop(line, node)) {
    addArrival(line, node, failure);
    return NOWHERE;
  }
  if (line.heads !== null && isOutOfTurn(line, line.heads, node)) {
    addHead(line, node);
    return NOWHERE;
  }
  return node;
}

/** The next node in turn; NOWHERE when the line has ended. */
export function nextInTurn(line: Line): number {
  const head = line.heads?.shift();
  if (head === undefined) return NOWHERE;
  line.start = head;
  return head;
}

/** Continues after a split: at once when it leads to one place, otherwise one place at a time. */
export function moveToAll(line: Line, places: readonly Arrival[]): number {
  const [only] = places;
  if (only !== undefined && places.length === 1) return moveTo(line, only.node, only.failure);
  for (const { node, failure } of places) {
    if (line.within !== null && isStop(line, node)) {
      addArrival(line, node, failure);
    } else addHead(line, node);
  }
  return NOWHERE;
}

export function addArrival(line: Line, node: number, failure: boolean): void {
  line.arrivals ??= [];
  addPlace(line.arrivals, node, failure);
}

/** Adds a place once. It counts as reached over a failure edge when one way was. */
export function addPlace(places: Arrival[], node: number, failure: boolean): void {
  const known = places.find((place) => place.node === node);
  if (known === undefined) places.push({ node, failure });
  else known.failure ||= failure;
}

/** True for a shared node of any open split around the branch. Cost: the depth of the branch. */
export function isShared(line: Line, node: number): boolean {
  for (let inner: Line | null = line; inner !== null; inner = inner.parent) {
    if (inner.within !== null && !inner.within.owned.has(node)) return true;
  }
  return false;
}

/** True where a branch must stop: at shared nodes, and where an enclosing line would give up its turn. */
export function isStop(line: Line, node: number): boolean {
  if (isShared(line, node)) return true;
  for (let outer = line.parent; outer !== null; outer = outer.parent) {
    if (outer.heads !== null && isOutOfTurn(outer, outer.heads, node)) return true;
  }
  return false;
}

/** True at or after the next waiting node in rank, and where the stretch returns to its own start. */
function isOutOfTurn(line: Line, [next]: readonly number[], node: number): boolean {
  if (next === undefined) return false;
  const ranks = line.run.table.ranks();
  return ranks[node]! >= ranks[next]! || ranks[node]! <= ranks[line.start]!;
}

/** Adds a node in the order of ranks, once. Cost: linear in the waiting nodes, which are few. */
export function addHead(line: Line, node: number): void {
  line.heads ??= [];
  const { run, heads } = line;
  if (heads.length === 0) {
    heads.push(node);
    return;
  }
  if (heads.includes(node)) return;
  const ranks = run.table.ranks();
  const index = heads.findIndex((other) => ranks[other]! > ranks[node]!);
  heads.splice(index < 0 ? heads.length : index, 0, node);
}
