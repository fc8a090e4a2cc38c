import type { Json } from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";

/** A run, as far as its large values are counted. */
export interface Counted {
  /** Sizes of the large values by field; null until there is one. */
  sizes: Map<string, number> | null;
}

/** The size of one value at most, in characters and entries. */
export const VALUE_LIMIT = 10_000_000;
/** Smaller values are not counted. */
export const COUNTED = 1_000;
/** The largest total of a run's large values. */
const STATE_LIMIT = 50_000_000;
/** Smaller parts are measured again where they stand again. */
const REMEMBERED = 64;

/** Sizes of lists and mappings, which are frozen. A part that stands in several places counts in each. */
const sizes = new WeakMap<object, number>();

/** Notes what a value was measured to be when it was copied. */
export function rememberSize(value: Json, size: number): void {
  if (typeof value === "object" && value !== null) sizes.set(value, size);
}

/** The size of a value in characters and entries. What is large is measured once. */
export function sizeOf(value: Json): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 1;
  if (Array.isArray(value)) {
    size += value.length;
    for (const item of value as readonly Json[]) size += sizeOf(item);
  } else for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item);
  if (size >= REMEMBERED) sizes.set(value, size);
  return size;
}

/** Counts a value that is about to be written, if it is large; a state that grows too large is the writer's failure. */
export function countSize(run: Counted, field: string, size: number): void {
  if (size < COUNTED) return;
  let total = size;
  for (const [name, one] of run.sizes ?? []) if (name !== field) total += one;
  if (total > STATE_LIMIT) throw new AgentError("bad_value", `the state grew over ${STATE_LIMIT} characters`);
  run.sizes ??= new Map();
  run.sizes.set(field, size);
}

/** What a field holds by now is what counts: a short value has taken the place of a long one, or was not written. */
export function recount(counted: Map<string, number>, field: string, value: Json | undefined): void {
  const size = value === undefined ? 0 : sizeOf(value);
  if (size < COUNTED) counted.delete(field);
  else counted.set(field, size);
}

interface Merged {
  readonly field: string;
  readonly list: Json;
  /** What it is made of: what was held, and what the branches wrote. */
  readonly before: readonly Json[];
  readonly values: readonly Json[];
}

/**
 * Counts a list that branches have made together: where each round of a loop adds the list to itself, it doubles without
 * any agent writing much. Linear in what is added.
 */
export function countMerged(run: Counted, { field, list, before, values }: Merged): void {
  const size = values.reduce<number>((sum, value) => sum + 1 + sizeOf(value), sizeOf(before));
  if (size > VALUE_LIMIT) {
    const why = `the branches made "${field}" a list of more than ${VALUE_LIMIT} characters`;
    throw new AgentError("bad_value", why);
  }
  rememberSize(list, size);
  countSize(run, field, size);
}
