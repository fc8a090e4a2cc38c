import type { Workflow } from "../workflows/catalogue.js";

/** The longest that clients take. */
const LONGEST = 64;
/** So begin the tools that are no workflows. */
export const OWN = "flowsheet_";

/** A name of each workflow: that of its graph in snake case, numbered where several have the same. */
export function toolNames(workflows: readonly Workflow[]): ReadonlyMap<string, Workflow> {
  const named = new Map<string, Workflow>();
  for (const workflow of [...workflows].sort(byName))
    named.set(freeName(snakeCase(workflow.graphName), named), workflow);
  return named;
}

/** Not by the language of the machine: names are the same everywhere. */
const byName = (a: Workflow, b: Workflow): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number++) {
    const ending = number === 1 ? "" : `_${number}`;
    const name = `${wanted.slice(0, LONGEST - ending.length)}${ending}`;
    if (!taken.has(name)) return name;
  }
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
  return known.startsWith(OWN) ? `workflow_${known}` : known;
}
