import { createHash } from "node:crypto";
import type { Workflow } from "../workflows/catalogue.js";

/** The longest that clients take. */
const LONGEST = 64;
/** So begin the tools that are no workflows. */
export const OWN = "flowsheet_";

/** Hexadecimal digits of a digest in a name. */
const DIGEST = 8;
/** A graph could be called as the name of another one with its digest. */
const DIGESTED = new RegExp(`_[0-9a-f]{${DIGEST}}$`);

/**
 * A name of each workflow: that of its graph in snake case. Where several have the same, each has a digest behind it.
 * So a name never comes to mean another workflow when one is added.
 */
export function toolNames(workflows: readonly Workflow[]): ReadonlyMap<string, Workflow> {
  const wanted = [...workflows].sort(byName).map((one) => [snakeCase(one.graphName), one] as const);
  const counts = new Map<string, number>();
  for (const [name] of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isShared = (name: string): boolean => counts.get(name) !== 1 || DIGESTED.test(name);
  return new Map(wanted.map(([name, one]) => [isShared(name) ? digested(name, one) : name, one]));
}

/** Not by the language of the machine: names are the same everywhere. */
const byName = (a: Workflow, b: Workflow): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function digested(name: string, { group, graphName }: Workflow): string {
  const digest = createHash("sha256").update(`${group}::${graphName}`).digest("hex").slice(0, DIGEST);
  return `${name.slice(0, LONGEST - DIGEST - 1)}_${digest}`;
}

/** Letters without a plain form, and other signs, are left out. */
function snakeCase(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const known = plain === "" ? "workflow" : plain;
  return (known.startsWith(OWN) ? `workflow_${known}` : known).slice(0, LONGEST);
}
