import type { FieldInput, FieldMerge, GraphInputs, MergeKind } from "../contract/contract.js";

/** The merges of a node by field, from either form. */
export function mergesByField(merge: { readonly [field: string]: MergeKind } | readonly FieldMerge[] = {}): {
  readonly [field: string]: MergeKind;
} {
  return isList<FieldMerge>(merge)
    ? Object.fromEntries(merge.map(({ field, kind }) => [field, kind]))
    : merge;
}

/** The inputs of a graph by field, from either form. */
export function inputsByField(inputs: GraphInputs | readonly FieldInput[] = {}): GraphInputs {
  return isList<FieldInput>(inputs)
    ? Object.fromEntries(inputs.map(({ field, ...input }) => [field, input]))
    : inputs;
}

const isList = <T>(value: object): value is readonly T[] => Array.isArray(value);
