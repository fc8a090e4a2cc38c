import { createNear, oneEdit } from "../../diagnostics/suggest.js";

/** Names shorter than this are too easily one edit apart. */
const SHORTEST = 4;

const isLong = (name: string): boolean => name.length >= SHORTEST && [...name].length >= SHORTEST;
const withoutDigits = (name: string): string => name.replace(/\p{N}/gu, "");

/** Whether a name may be a slip for another: one edit apart, both long enough, and not only numbered differently. */
export function isSlip(a: string, b: string): boolean {
  return oneEdit(a, b) && isLong(a) && isLong(b) && withoutDigits(a) !== withoutDigits(b);
}

/** Finds a name that the given one may be a slip for, in time linear in its length. */
export function createNearby(names: readonly string[]): (name: string) => string | null {
  const near = createNear(names, (name) => name);
  return (name) => near(name).find((candidate) => isSlip(name, candidate)) ?? null;
}
