import { createNeighbours, oneEdit } from "../diagnostics/suggest.js";

/** Names shorter than this are too easily one edit apart. */
const SHORTEST = 4;

const withoutDigits = (name: string): string => name.replace(/\p{N}/gu, "");

/** Whether a name may be a slip for another: one edit apart, both long enough, and not only numbered differently. */
function isSlip(a: string, b: string): boolean {
  const longEnough = [...a].length >= SHORTEST && [...b].length >= SHORTEST;
  return longEnough && oneEdit(a, b) && withoutDigits(a) !== withoutDigits(b);
}

/** Finds a name that another may be a slip for. A look-up costs the length of the name. */
export function createNearby(names: Iterable<string>): (name: string) => string | null {
  const neighbours = createNeighbours(names, (name) => name);
  return (name) => [...neighbours(name)].find((candidate) => isSlip(name, candidate)) ?? null;
}
