import type { JsonSpot } from "../../ir.js";

const taken = new WeakMap<object, ReadonlySet<string>>();

/** The names in a list. It is asked for each unknown one of perhaps very many, so the set is made once. */
export function takenIn<T>(list: readonly T[], nameOf: (one: T) => string): ReadonlySet<string> {
  const known = taken.get(list) ?? new Set(list.map(nameOf));
  taken.set(list, known);
  return known;
}

/** Whether an object of JSON has a key. */
export const hasKey = ({ entries = [] }: JsonSpot, key: string): boolean =>
  takenIn(entries, (entry) => entry.key).has(key);
