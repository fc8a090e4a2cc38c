import type { Workflow } from "../workflows/catalogue.js";

/** The longest that clients take. */
const LONGEST = 64;
/** So begin the tools that are no workflows. */
export const OWN = "flowsheet_";

/** What a name is made of. */
export type Named = Pick<Workflow, "group" | "graphName">;

/**
 * A name of each workflow: that of its graph in snake case. Where several have the same, those of later sheets are
 * numbered from 2.
 */
export function toolNames<W extends Named>(workflows: readonly W[]): ReadonlyMap<string, W> {
  const ordered = [...workflows].sort(byPlace);
  const whole = new Set(ordered.map(({ graphName }) => snakeCase(graphName)));
  const named = new Map<string, W>();
  for (const workflow of ordered) {
    const name = snakeCase(workflow.graphName);
    named.set(named.has(name) ? numbered(name, (one) => named.has(one) || whole.has(one)) : name, workflow);
  }
  return named;
}

/** Whether a name would come to mean another workflow. */
export function isNameMoved(before: readonly Named[], after: readonly Named[]): boolean {
  const names = toolNames(after);
  return [...toolNames(before)].some(([name, one]) => {
    const now = names.get(name);
    return now !== undefined && byPlace(one, now) !== 0;
  });
}

/** Not by the language of the machine: names are the same everywhere. */
const byPlace = (a: Named, b: Named): number =>
  compare(a.group, b.group) || compare(a.graphName, b.graphName);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function numbered(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const end = `_${number}`;
    const made = `${name.slice(0, LONGEST - end.length)}${end}`;
    if (!isTaken(made)) return made;
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
  return (known.startsWith(OWN) ? `workflow_${known}` : known).slice(0, LONGEST);
}
