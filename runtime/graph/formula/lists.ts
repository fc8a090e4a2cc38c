import { isMapping, text } from "../values/values.js";
import { compare } from "./compare.js";
import { meets } from "./criteria.js";
import { checkFinite } from "./numbers.js";
import { refuse, textOfLength } from "./refuse.js";

/** The first item has the number 1. */
export function item<T>(list: readonly T[], number: number): T {
  const at = Math.trunc(number) - 1;
  if (!(at >= 0 && at < list.length))
    return refuse(`INDEX is asked for item ${at + 1} of a list of ${list.length}`);
  return list[at] as T;
}

export function unique<T>(list: readonly T[]): readonly T[] {
  const known = new Map<string, T>();
  for (const one of list) {
    const key = typeof one === "string" ? `"${one.toLowerCase()}` : text(one);
    if (!known.has(key)) known.set(key, one);
  }
  return [...known.values()];
}

export const sorted = <T>(list: readonly T[]): readonly T[] => list.toSorted(compare);

export function filterBy<T>(list: readonly T[], field: string, criterion: string): readonly T[] {
  return list.filter((one) => {
    const found: unknown = isMapping(one) && Object.hasOwn(one, field) ? one[field] : undefined;
    return meets(found, criterion);
  });
}

export function json(value: unknown): string {
  checkFinite("JSON", value);
  return textOfLength(JSON.stringify(value ?? null) ?? "null");
}
