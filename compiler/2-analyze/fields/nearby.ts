import { createNeighbours, oneEdit } from "../../diagnostics/suggest.js";

/** Names shorter than this are too easily one edit apart. */
const SHORTEST = 4;

const isLong = (name: string): boolean => name.length >= SHORTEST && [...name].length >= SHORTEST;
const withoutDigits = (name: string): string => name.replace(/\p{N}/gu, "");

/** Whether a name may be a slip for another: one edit apart, both long enough, and not only numbered differently. */
export function isSlip(a: string, b: string): boolean {
  return oneEdit(a, b) && isLong(a) && isLong(b) && withoutDigits(a) !== withoutDigits(b);
}

/** Finds a name that another may be a slip for. A look-up costs the length of the name. */
export function createNearby(names: readonly string[]): (name: string) => string | null {
  const neighbours = createNeighbours(names, (name) => name);
  return (name) => {
    if (names.length <= FEW && !names.some((candidate) => isSlip(name, candidate))) return null;
    return [...neighbours(name)].find((candidate) => isSlip(name, candidate)) ?? null;
  };
}

/** So many names are compared with one by one: nearly always none is near, which a look-up takes longer to find. */
const FEW = 32;
