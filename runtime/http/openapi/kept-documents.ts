import type { Workflow } from "../../workflows/catalogue.js";

/** What a document is made of. */
export interface Described {
  readonly version: string;
  readonly base: string;
  /** The workflows that the reader may see. */
  readonly workflows: readonly Workflow[];
}

/** So many documents are kept: strangers, and keys with other graphs, are shown other workflows. */
const MOST = 8;

/** Makes a document only when none of the same workflows is kept: with hundreds of them it takes long. */
export function keepDocuments(make: (described: Described) => string): (described: Described) => string {
  let kept: readonly { readonly of: Described; readonly text: string }[] = [];
  return (described) => {
    const known = kept.find(({ of }) => isSame(of, described));
    const one = known ?? { of: described, text: make(described) };
    kept = [one, ...kept.filter((other) => other !== one)].slice(0, MOST);
    return one.text;
  };
}

const isSame = (a: Described, b: Described): boolean =>
  a.version === b.version &&
  a.base === b.base &&
  a.workflows.length === b.workflows.length &&
  a.workflows.every((one, i) => isSameWorkflow(one, b.workflows[i]!));

/** A sheet that was read again has other graphs, even if it says the same. */
const isSameWorkflow = (a: Workflow, b: Workflow): boolean =>
  a.ir === b.ir && a.name === b.name && a.valid === b.valid;
