import type { FieldType, OutputItem } from "../../ir.js";
import { isAssignable, overlaps } from "../../types/compare.js";
import { NUMBER } from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { type Draft, type DraftNode, reportAt } from "../draft.js";
import type { BranchNumber } from "../flow/branches.js";
import { annotationOf, type FieldTypes } from "./field-types.js";
import type { FieldUse, Read } from "./field-use.js";

/** Reports types that clash: at the reader, or at an annotation that its own agent contradicts. Linear in the reads. */
export function checkTypes(draft: Draft, uses: readonly FieldUse[], types: FieldTypes): void {
  for (const node of draft.nodes) {
    for (const output of node.row.outputs) checkAnnotation(draft, node, output, types);
  }
  for (const use of uses) {
    const annotated: Annotated[] = [];
    for (const read of use.reads) {
      const node = draft.nodes[read.node] as DraftNode;
      const type = annotationOf(draft, node, read.item);
      if (type !== null) annotated.push({ node, read, type });
    }
    if (use.writers.length === 0) checkGiven(draft, use, annotated);
    else if (annotated.length > 0) checkReaders(draft, use, annotated, types);
  }
}

interface Annotated {
  readonly node: DraftNode;
  readonly read: Read;
  readonly type: FieldType;
}

const nameOf = (node: DraftNode): string => node.row.node.name;

interface Written {
  readonly writer: DraftNode;
  readonly type: FieldType;
}

/** A reader inside a branch gets what the branch has written; a reader after the merge gets the merged value. */
function checkReaders(draft: Draft, use: FieldUse, annotated: readonly Annotated[], types: FieldTypes): void {
  const known = new Map<string, readonly Written[]>();
  for (const { node, read, type } of annotated) {
    const within = types.items.around(node.index, use.name);
    const key = within.join();
    const written = known.get(key) ?? writtenTypes(draft, use, types, within);
    known.set(key, written);
    const clash = written.find((one) => !isAssignable(one.type, type));
    if (clash === undefined) continue;
    const params = {
      field: use.name,
      written: formatType(clash.type),
      writer: nameOf(clash.writer),
      read: formatType(type),
      reader: nameOf(node),
    };
    reportAt(draft, node, "type-mismatch", params, { span: read.item.at, column: "input_fields" });
  }
}

/** One writer stands for all that write the same type. */
function writtenTypes(
  draft: Draft,
  { name, writers }: FieldUse,
  types: FieldTypes,
  within: readonly BranchNumber[],
): readonly Written[] {
  const isOutside = within.length === 0;
  const found = new Map<string, Written>();
  for (const v of isOutside ? writers : types.items.writers(within, name)) {
    const writer = draft.nodes[v] as DraftNode;
    const type = isOutside ? types.arrives(writer, name) : types.inBranches(writer, name, within);
    if (!found.has(formatType(type))) found.set(formatType(type), { writer, type });
  }
  return [...found.values()];
}

/** A field that only the caller gives must have a value that all its readers accept. */
function checkGiven(draft: Draft, use: FieldUse, annotated: readonly Annotated[]): void {
  const [first, ...rest] = annotated;
  if (first === undefined) return;
  for (const { node, read, type } of rest) {
    if (overlaps(first.type, type)) continue;
    const params = {
      field: use.name,
      first: formatType(first.type),
      firstReader: nameOf(first.node),
      second: formatType(type),
      secondReader: nameOf(node),
    };
    reportAt(draft, node, "type-mismatch", params, { span: read.item.at, column: "input_fields" });
  }
}

/** Reports an annotation that the node's own agent contradicts, and text where a merge adds numbers up. */
function checkAnnotation(draft: Draft, node: DraftNode, output: OutputItem, types: FieldTypes): void {
  const at = { span: output.at, column: "output_field" } as const;
  const names = { field: output.field, node: nameOf(node) };
  if (types.merge(node, output.field) === "sum") {
    const written = types.written(node, output);
    if (!overlaps(written, NUMBER))
      reportAt(draft, node, "type-mismatch", { ...names, summed: formatType(written) }, at);
  }
  if (output.type === null || node.facts === null || node.facts.produces === "typed") return;
  const produces = types.written(node, { ...output, type: null });
  if (overlaps(produces, output.type)) return;
  const agent = node.agent.written || node.agent.type;
  const params = { ...names, agent, declared: formatType(output.type), produces: formatType(produces) };
  reportAt(draft, node, "type-mismatch", params, at);
}
