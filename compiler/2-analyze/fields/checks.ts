import { choicesOf } from "../../types/field-type.js";
import { type Draft, type DraftNode, isFull, type Routes, reportAt, wholeCell } from "../draft.js";
import { renameRead } from "./field-fix.js";
import type { FieldTypes } from "./field-types.js";
import type { FieldUse } from "./field-use.js";
import { createNearby } from "./nearby.js";

/** Warns of a field that is read but never written, when a similar name is written. Linear in the names' lengths. */
export function checkSpelling(draft: Draft, uses: readonly FieldUse[]): void {
  const given = uses.filter(
    ({ writers, reads, name }) => writers.length === 0 && reads.length > 0 && name !== "error",
  );
  if (given.length === 0) return;
  const nearby = createNearby(given.map(({ name }) => name));
  const meant = new Map<string, FieldUse>();
  for (const use of uses) {
    const slip = use.writers.length === 0 ? null : nearby(use.name);
    if (slip !== null && !meant.has(slip)) meant.set(slip, use);
  }
  for (const use of given) {
    const written = meant.get(use.name);
    if (written !== undefined) reportSpelling(draft, use, written);
  }
}

function reportSpelling(draft: Draft, use: FieldUse, written: FieldUse): void {
  const writer = draft.nodes[written.writers[0] as number] as DraftNode;
  for (const { node, item } of use.reads) {
    if (isFull(draft.analysis, "misspelt-field", item.at)) continue;
    const params = { field: use.name, suggestion: written.name, writer: writer.row.node.name };
    const reader = draft.nodes[node] as DraftNode;
    const fix = renameRead(draft, reader, item, written.name);
    const at = { span: item.at, column: "input_fields", fix } as const;
    reportAt(draft, reader, "misspelt-field", params, at);
  }
}

/** Warns of a switch over a typed choice that has no case for one of its values. */
export function checkChoices(draft: Draft, node: DraftNode, routes: Routes, types: FieldTypes): void {
  const [input] = node.row.inputs;
  if (node.facts?.type !== "switch" || input === undefined || routes.otherwise !== null) return;
  const type = input.type ?? (input.path.length > 0 ? null : types.of(input.field));
  const values = choicesOf(type);
  if (values.length === 0) return;
  const { row } = node;
  const listed = row.onSuccess.length > 0 ? row.onSuccess : row.next;
  const handled = new Set(
    [...listed.map(({ name }) => name), ...routes.cases.map(({ value }) => value)].map(fold),
  );
  const missing = values.filter((value) => !handled.has(fold(value)));
  if (missing.length === 0) return;
  const column =
    row.onSuccess.length > 0 ? "next_on_success" : listed.length > 0 ? "next_node" : "agent_type";
  const span = listed.length > 0 ? wholeCell(listed, row.agent.at) : row.agent.at;
  reportAt(draft, node, "unhandled-choice", { field: input.field, missing }, { span, column });
}

const fold = (text: string): string => text.trim().toLowerCase();
