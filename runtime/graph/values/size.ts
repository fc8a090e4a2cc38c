import type { Json } from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";

/** The part of a run that counts its large values. */
export interface Counted {
  /** Sizes of the large values by field; null until there is one. */
  sizes: Map<string, number> | null;
}

/** The largest size of one value, in characters and entries. */
export const VALUE_LIMIT = 10_000_000;
/** Smaller values are not counted. */
export const COUNTED = 1_000;
/** The largest sum of a run's large values. */
const STATE_LIMIT = 50_000_000;
/** Sizes of smaller parts are not remembered: measuring them again is cheap. */
const REMEMBERED = 64;

/** Sizes of lists and mappings, which are frozen. A part that is used several times counts each time. */
const sizes = new WeakMap<object, number>();

/** Remembers the size that was measured during the copy. */
export function rememberSize(value: Json, size: number): void {
  if (typeof value === "object" && value !== null) sizes.set(value, size);
}

/** The size of a value in characters and entries. Large values are measured once. */
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

/** Counts a large value before it is written. A state that grows too large is an error of the writing node. */
export function countSize(run: Counted, field: string, size: number): void {
  if (size < COUNTED) return;
  let total = size;
  for (const [name, one] of run.sizes ?? []) if (name !== field) total += one;
  if (total > STATE_LIMIT) throw new AgentError("bad_value", `the state grew over ${STATE_LIMIT} characters`);
  run.sizes ??= new Map();
  run.sizes.set(field, size);
}

/** Counts the present value of a field: a short one may have replaced a long one. */
export function recount(counted: Map<string, number>, field: string, value: Json | undefined): void {
  const size = value === undefined ? 0 : sizeOf(value);
  if (size < COUNTED) counted.delete(field);
  else counted.set(field, size);
}

interface Merged {
  readonly field: string;
  readonly list: Json;
  /** The parts of the list: the values before, and those of the branches. */
  readonly before: readonly Json[];
  readonly values: readonly Json[];
}

/**
 * Counts a list that branches have merged. A loop that adds a list to itself doubles it, although no agent writes
 * much. Cost: linear in the added items.
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
