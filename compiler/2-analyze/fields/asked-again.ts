import { type Draft, type DraftNode, reportAt } from "../draft.js";
import type { FieldUse, Read } from "./field-use.js";

/** A read that begins a loop: what it finds in the first round can only come from the caller. */
export interface FirstRead {
  readonly use: FieldUse;
  readonly read: Read;
}

/** Warns where the first round of a loop uses what the caller gives, and `input` then asks for the same field. */
export function warnAskedAgain(
  draft: Draft,
  first: readonly FirstRead[],
  leads: (from: number, to: number) => boolean,
): void {
  const told = new Set<string>();
  for (const { use, read } of first) {
    for (const v of use.writers) {
      const node = draft.nodes[v] as DraftNode;
      const output = node.row.outputs.find(({ field }) => field === use.name);
      const key = `${v} ${use.name}`;
      if (node.facts?.type !== "input" || output === undefined || told.has(key)) continue;
      if (v !== read.node && !leads(v, read.node)) continue;
      told.add(key);
      const reader = (draft.nodes[read.node] as DraftNode).row.node.name;
      const params = { field: use.name, reader, asker: node.row.node.name };
      reportAt(draft, node, "asked-again", params, { span: output.at, column: "output_field" });
    }
  }
}
