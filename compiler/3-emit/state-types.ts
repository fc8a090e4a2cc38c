import type { FieldIR, GraphIR, MergeKind, NodeIR, WriteIR } from "../ir.js";
import { childAgent } from "./child-agent.js";
import { isAskedFor, isOfChild, type LinkedField } from "./field-links.js";
import { itemText, sortedTypes, typeMembers } from "./field-type.js";
import { givenType } from "./given-type.js";
import { type Doc, union } from "./layout.js";
import { stringLiteral } from "./literals.js";
import { findMerges, merged } from "./merges.js";
import { hasGaps, isDeclared, isEachList, writesTo } from "./outputs.js";
import { isReceipt, receiptType } from "./receipt.js";
import type { Scope } from "./scope.js";

/** Gives the type of each field of a graph, as its interfaces state it. */
export function createFieldTypes(graph: GraphIR, scope: Scope): (field: FieldIR) => Doc {
  const merges = findMerges(graph);
  return (field) => {
    const { name, type, writers } = field;
    if (name === "error") return "string";
    const circle = scope.linked(graph, name)?.circle ?? null;
    if (isAskedFor(field)) return givenType({ graph, field, circle }, scope);
    if (writers.length > 0 && circle !== null) return circleType(circle, scope);
    const writing = writesOf(graph, field);
    if (!writing.some(isTold)) return union(typeMembers(type));
    return union(
      sortedTypes(
        writing.flatMap(({ v, node, write }) =>
          merged(writtenMembers(node, write, scope), merges.get(`${v} ${name}`)),
        ),
      ),
    );
  };
}

interface Writing {
  readonly v: number;
  readonly node: NodeIR;
  readonly write: WriteIR;
}

const writesOf = ({ nodes }: GraphIR, { name, writers }: FieldIR): readonly Writing[] =>
  writers.flatMap((v) => writesTo(nodes[v]!, name).map((write) => ({ v, node: nodes[v]!, write })));

/** True for an output of whose type an agent tells more than the sheet. */
const isTold = ({ node, write }: Writing): boolean =>
  isDeclared(node, write) || isEachList(node, write) || hasGaps(node, write);

/**
 * All fields of a circle have one type: graphs that run each other write what any of them writes, and TypeScript
 * refuses types that are made of themselves.
 */
function circleType(circle: readonly LinkedField[], scope: Scope): Doc {
  const members = circle.flatMap((one) => circleMembers(one, circle, scope));
  return union(members.length === 0 ? ["unknown"] : sortedTypes(members));
}

/** What one field adds to the type of its circle. */
function circleMembers(
  { graph, field }: LinkedField,
  circle: readonly LinkedField[],
  scope: Scope,
): readonly string[] {
  // What is asked for and what is written meet here: no plain type is both.
  if (field.writers.length === 0) return ["unknown"];
  const merges = findMerges(graph);
  return writesOf(graph, field).flatMap(({ v, node, write }) => {
    const merge = merges.get(`${v} ${field.name}`);
    if (!isOfChild(node, write)) return merged(writtenMembers(node, write, scope), merge);
    // Lists of what is itself such a list have no type of their own.
    if (isEachList(node, write)) return ["readonly unknown[]"];
    const child = scope.childGraph(node);
    const part = child === null ? null : scope.linked(child, write.key);
    if (part === null || part.circle !== circle) return merged(writtenMembers(node, write, scope), merge);
    return inCircle(merge);
  });
}

const inCircle = (merge: MergeKind | undefined): readonly string[] =>
  merge === "append" ? ["readonly unknown[]"] : merge === "sum" ? ["number"] : [];

function writtenMembers(node: NodeIR, write: WriteIR, scope: Scope): readonly string[] {
  if (isReceipt(node, write)) return [receiptType(node, write, scope)];
  if (node.agent.builtin && isDeclared(node, write)) {
    const state = scope.childState(node);
    return [state === null ? "unknown" : `Exclude<${state}[${stringLiteral(write.key)}], undefined>`];
  }
  const each = isEachList(node, write) ? childAgent(node, scope) : null;
  if (each !== null) return [`${scope.use("Output")}<typeof ${each.name}, ${stringLiteral(write.key)}>`];
  if (write.type?.kind === "list-of" && hasGaps(node, write))
    return [`readonly (${itemText(write.type.item)} | null)[]`];
  if (write.type !== null) return typeMembers(write.type);
  if (node.agent.builtin) return ["unknown"];
  return [`${scope.use("Output")}<typeof ${scope.agent(node)}, ${stringLiteral(write.key)}>`];
}
