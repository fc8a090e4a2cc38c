import { createNear, type Near } from "../diagnostics/suggest.js";
import { once } from "./flow/once.js";

/** The names by which a node may run a graph, for all that is said of an unknown one. */
export interface GraphNames {
  readonly near: Near;
  /** Each graph once: without the name of its sheet before it where it can do without. */
  readonly known: () => readonly string[];
  /** The full name of the first graph of other sheets that has this name. */
  readonly fullName: (name: string) => string | null;
}

export function createGraphNames(own: Iterable<string>, others: ReadonlySet<string> | null): GraphNames {
  const names = new Set([...own, ...(others ?? [])]);
  const full = once(() => new Map([...(others ?? [])].reverse().flatMap(withoutSheets)));
  return {
    near: createNear(names),
    known: once(() =>
      [...names].filter((one) => !one.includes("::") || !names.has(one.slice(one.indexOf("::") + 2))),
    ),
    fullName: (name) => full().get(name) ?? null,
  };
}

/** What a full name ends in: a name may hold the signs that part it from its sheet. */
function withoutSheets(full: string): readonly (readonly [string, string])[] {
  const parts = full.split("::");
  return parts.slice(1).map((_, i) => [parts.slice(i + 1).join("::"), full] as const);
}
