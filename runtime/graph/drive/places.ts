import type { Place, Region } from "./run.js";

/** Nothing to go on with. */
export const NOWHERE = -1;

/**
 * Takes a line to the node it came to: that node when it goes on there, else NOWHERE after the place was noted,
 * as a stop of an enclosing split or as a place that waits for its turn.
 */
export function arrive(region: Region, node: number, failure: boolean): number {
  if (region.within !== null && isStop(region, node)) {
    addArrival(region, node, failure);
    return NOWHERE;
  }
  if (region.heads !== null && isOutOfTurn(region, region.heads, node)) {
    addHead(region, node);
    return NOWHERE;
  }
  return node;
}

/** The next place whose turn it is, or NOWHERE: the line has ended. */
export function takeTurn(region: Region): number {
  const head = region.heads?.shift();
  if (head === undefined) return NOWHERE;
  region.start = head;
  return head;
}

/** Goes on from the places where a split settled: from the only one at once, from several one at a time. */
export function goOn(region: Region, places: readonly Place[]): number {
  const [only] = places;
  if (only !== undefined && places.length === 1) return arrive(region, only.node, only.failure);
  for (const { node, failure } of places) {
    if (region.within !== null && isStop(region, node)) {
      addArrival(region, node, failure);
    } else addHead(region, node);
  }
  return NOWHERE;
}

/** Notes where a branch stopped. */
export function addArrival(region: Region, node: number, failure: boolean): void {
  region.arrivals ??= [];
  addPlace(region.arrivals, node, failure);
}

/** Adds a place once; it counts as come to over a failure edge when one way there was one. */
export function addPlace(places: Place[], node: number, failure: boolean): void {
  const known = places.find((place) => place.node === node);
  if (known === undefined) places.push({ node, failure });
  else known.failure ||= failure;
}

/** True for a shared node of any split that is under way around a branch. Cost: the depth of the branch. */
export function isShared(region: Region, node: number): boolean {
  for (let inner: Region | null = region; inner !== null; inner = inner.parent) {
    if (inner.within !== null && !inner.within.owned.has(node)) return true;
  }
  return false;
}

/** True where a branch must stop: at shared nodes, and where an enclosing line would have to give up its turn. */
export function isStop(region: Region, node: number): boolean {
  if (isShared(region, node)) return true;
  for (let outer = region.parent; outer !== null; outer = outer.parent) {
    if (outer.heads !== null && isOutOfTurn(outer, outer.heads, node)) return true;
  }
  return false;
}

/** True at or past the next waiting place, and where the stretch would come back to its own start. */
function isOutOfTurn(region: Region, [next]: readonly number[], node: number): boolean {
  if (next === undefined) return false;
  const ranks = region.run.table.ranks();
  return ranks[node]! >= ranks[next]! || ranks[node]! <= ranks[region.start]!;
}

/** Adds a place in the order of ranks, once. Cost: linear in the waiting places, of which there are few. */
export function addHead(region: Region, node: number): void {
  region.heads ??= [];
  const { run, heads } = region;
  if (heads.length === 0) {
    heads.push(node);
    return;
  }
  if (heads.includes(node)) return;
  const ranks = run.table.ranks();
  const index = heads.findIndex((other) => ranks[other]! > ranks[node]!);
  heads.splice(index < 0 ? heads.length : index, 0, node);
}
