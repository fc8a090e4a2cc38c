import type { FieldIR, NodeIR, ReadIR, WriteIR } from "../ir.js";
import { isUnknown, listOf, OBJECT } from "../types/field-type.js";
import { collectsErrors, type Draft, type DraftNode, LOST, type Routes } from "./draft.js";
import { isSurelyWritten, mayFail } from "./fields/calls.js";
import { type FieldTypes, givenChecks } from "./fields/field-types.js";
import type { FieldUse, Read } from "./fields/field-use.js";
import { nameInputs } from "./fields/input-names.js";
import { resolvePrompt, usesError } from "./fields/placeholders.js";
import { candidatesOf } from "./settings/candidates.js";
import { withStatement } from "./statements/statement-of.js";

export function describeNode(
  draft: Draft,
  node: DraftNode,
  routes: Routes,
  { reads, types, reachable }: Pick<NodeIR, "reachable"> & { reads: readonly Read[]; types: FieldTypes },
): NodeIR {
  const { row } = node;
  return {
    name: row.node.name,
    row: row.record + 1,
    index: row.index,
    description: node.description,
    agent: node.agent,
    settings: withStatement(node, nameInputs(node)),
    retry: node.retry,
    timeoutMs: node.timeoutMs,
    maxVisits: node.maxVisits,
    onLimit: routes.onLimit === LOST ? -1 : routes.onLimit,
    merge: node.merge,
    next: kept(routes.next),
    onSuccess: kept(routes.success),
    onFailure: kept(routes.failure),
    cases: routes.cases,
    otherwise: routes.otherwise === LOST ? null : routes.otherwise,
    candidates: candidatesOf(draft, node, routes),
    reads: reads.map((read) => describeRead(read, types)),
    writes: describeWrites(draft, node, types),
    items: types.itemsAt(node),
    prompt: node.facts?.type === "sql" ? null : resolvePrompt(node),
    ...describeFormula(node, types),
    errorInPrompt: node.facts?.type !== "sql" && usesError(node),
    promptFrom: node.promptFrom,
    mayFail: mayFail(draft, node),
    reachable,
  };
}

function describeFormula(node: DraftNode, types: FieldTypes): Pick<NodeIR, "compute"> {
  const checked = node.formula === null ? null : types.computed(node);
  if (checked === null || checked.tree === null) return {};
  const { tree, tables, type, checkedWith } = checked;
  const isAlone = Object.keys(checkedWith).length === 0;
  return { compute: { tree, tables, type, ...(isAlone ? {} : { checkedWith }) } };
}

function describeWrites(draft: Draft, node: DraftNode, types: FieldTypes): readonly WriteIR[] {
  const writes = node.row.outputs.map((output): WriteIR => {
    const type = types.written(node, output);
    return {
      key: output.key,
      field: output.field,
      type: isUnknown(type) ? null : type,
      annotated: output.type !== null,
      sure: isSurelyWritten(draft, node, output),
    };
  });
  return collectsErrors(node) ? [...writes, COLLECTED] : writes;
}

const COLLECTED: WriteIR = {
  key: "errors",
  field: "errors",
  type: listOf(OBJECT),
  annotated: false,
  sure: true,
};

const kept = (targets: readonly number[]): readonly number[] =>
  targets.includes(LOST) ? targets.filter((target) => target !== LOST) : targets;

function describeRead({ item, sure }: Read, types: FieldTypes): ReadIR {
  const { param, field, path, optional, type } = item;
  const held = types.isHeld(item);
  return {
    param,
    field,
    path,
    optional,
    sure,
    isSet: sure && (!optional || path.length > 0) && !types.mayBeLeftOut(field),
    type,
    held,
    isOpen: held && path.length === 0 && types.isOpen(field),
  };
}

function readersOf(reads: readonly Read[]): readonly number[] {
  const [first] = reads;
  if (first === undefined) return NOBODY;
  return reads.length === 1 ? [first.node] : [...new Set(reads.map(({ node }) => node))];
}

const NOBODY: readonly number[] = [];

export function describeField(draft: Draft, use: FieldUse, types: FieldTypes): FieldIR {
  return {
    name: use.name,
    type: types.of(use.name),
    full: types.full(use.name),
    mayBeLeftOut: types.mayBeLeftOut(use.name),
    input: use.input,
    checks: givenChecks(draft, use, types),
    writers: use.writers,
    readers: readersOf(use.reads),
    setAtEnd: use.setAtEnd,
    setAtSuccess: use.setAtSuccess,
  };
}
