import type { FieldIR, FieldType, GraphIR, NodeIR } from "../ir.js";
import { isAssignable } from "../types/compare.js";
import { RECEIPT_ENTRIES, UNKNOWN } from "../types/field-type.js";
import { type Names, partsOfAll, typeMembers } from "../types/typescript.js";
import { builtinExport } from "./builtin-agents.js";
import { angles, type Doc, layOut, union } from "./layout.js";
import { docComment, propertyKey, stringLiteral } from "./literals.js";
import { childSettings, type Scope } from "./scope.js";

export function emitInterfaces(graph: GraphIR, scope: Scope): readonly string[] {
  const typeOf = (field: FieldIR): Doc => typeDoc(scope.types.of(field), scope.typeNames);
  const { names } = scope;
  const inputs = ["required", "optional"].flatMap((input) =>
    graph.fields
      .filter((field) => field.input === input)
      .map((field) => property(field, input === "optional", typeOf)),
  );
  const fields = graph.fields.filter(
    ({ writers, name, input }) => writers.length > 0 || (name === "error" && input === null),
  );
  const state = fields.map(
    (field) => `${writerDocs(graph, field)}${property(field, !field.setAtEnd || field.mayBeLeftOut, typeOf)}`,
  );
  return [
    interfaceText(names.input, null, inputs),
    interfaceText(names.state, inputs.length === 0 ? null : names.input, state),
    emitNodesInterface(graph, scope),
  ];
}

function property(field: FieldIR, isOptional: boolean, typeOf: (field: FieldIR) => Doc): string {
  const head = `  ${propertyKey(field.name)}${isOptional ? "?" : ""}: `;
  return `${head.trimEnd()}${spaced(layOut(typeOf(field), { indent: 2, column: head.length, tail: 1 }))};\n`;
}

function typeDoc(type: FieldType, names: Names): Doc {
  const parts = partsOfAll(type, names);
  if (parts === null) return union(typeMembers(type, names));
  return { kind: "fitted", flat: parts.join(" & "), broken: () => parts.join(" &\n    ") };
}

/** A type on lines of its own follows the colon without a space. */
const spaced = (type: string): string => (type.startsWith("\n") ? type : ` ${type}`);

/** An interface without members would accept any value. */
function interfaceText(name: string, base: string | null, members: readonly string[]): string {
  if (members.length > 0)
    return `export interface ${name}${base === null ? "" : ` extends ${base}`} {\n${members.join("")}}`;
  return `export type ${name} = ${base ?? "Readonly<Record<string, never>>"};`;
}

const NAMED = 12;

function writerDocs(graph: GraphIR, { writers }: FieldIR): string {
  if (writers.length === 0) return "";
  const names = writers.slice(0, NAMED).map((v) => `\`${graph.nodes[v]!.name.replaceAll("`", "'")}\``);
  const more = writers.length - names.length;
  return docComment(`Written by ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}.`, 2);
}

function emitNodesInterface(graph: GraphIR, scope: Scope): string {
  const lines = graph.nodes.map((node) => {
    const writes = union([...new Set(node.writes.map(({ field }) => stringLiteral(field)))]);
    const agent: Doc = ["typeof ", agentValue(node, scope)];
    const parts = [agent, ...(node.writes.length === 0 ? [] : [writes])];
    const head = `  ${propertyKey(node.name)}: `;
    const type: Doc = [scope.use("Node"), angles(parts)];
    return `${head}${layOut(type, { indent: 2, column: head.length, tail: 1 })};\n`;
  });
  const docs = docComment("The agent of each node, and what it writes.", 0);
  return `${docs}export interface ${scope.names.nodes} {\n${lines.join("")}}`;
}

export const agentValue = (node: NodeIR, scope: Scope): Doc =>
  childAgent(node, scope)?.name ?? agentName(node, scope);

/** An agent that produces the type in the sheet gets that type as its type argument. */
function agentName(node: NodeIR, scope: Scope): Doc {
  const name = scope.agent(node);
  if (takesReceipt(node)) return [name, angles([scope.use("Receipt")])];
  const made =
    node.agent.builtin && node.agent.type !== "graph" ? builtinExport(node.agent.type).makes : undefined;
  if (made === undefined || node.writes.length === 0) return name;
  const types = computedType(node, scope.typeNames) ?? madeType(node, scope.typeNames);
  return types.length === 1 && types[0] === made ? name : [name, angles([union(types)])];
}

/** True for a node whose only output takes the whole receipt of a file, since it names no entry of it. */
function takesReceipt({ agent, writes }: NodeIR): boolean {
  const [only] = writes;
  if (writes.length !== 1 || only === undefined || only.annotated || !agent.builtin) return false;
  const isReceipt = agent.type !== "graph" && builtinExport(agent.type).receipt === true;
  return isReceipt && !RECEIPT_ENTRIES.some((entry) => entry === only.key);
}

/** What a formula gives; null without one. An annotation that it may not fit is looked at when it is run. */
function computedType({ compute, writes }: NodeIR, names: Names): readonly string[] | null {
  if (compute === undefined) return null;
  const fits = writes.every(({ type }) => type === null || isAssignable(compute.type, type));
  return fits ? typeMembers(compute.type, names) : ["unknown"];
}

/** One output is the result itself; several are entries of a mapping. */
function madeType({ writes }: NodeIR, names: Names): readonly string[] {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) return typeMembers(only.type ?? UNKNOWN, names);
  const entries = writes.map(({ key, type, sure }) => [key, { type: type ?? UNKNOWN, sure }] as const);
  const members = [...new Map(entries)].map(
    ([key, one]) =>
      `readonly ${propertyKey(key)}${one.sure ? "" : "?"}: ${typeMembers(one.type, names).join(" | ")}`,
  );
  return [`{ ${members.join("; ")} }`];
}

/** The agent that runs another graph. It needs a typed constant, or TypeScript could not infer its type. */
export function childAgent(
  node: NodeIR,
  scope: Scope,
): { readonly name: string; readonly type: string; readonly made: string } | null {
  const value = node.agent.builtin && node.agent.type === "graph" ? scope.child(node) : null;
  if (value === null) return null;
  const isEach = childSettings(node).over !== undefined;
  const type = isEach
    ? `${scope.use("EachFunction")}<${eachState(node, scope)}>`
    : `${scope.use("AgentFunction")}<${passedType(node, scope)}, ${scope.childState(node)}>`;
  const made = `${scope.agent(node)}(() => ${value})`;
  return {
    name: scope.own(`${isEach ? "each" : "run"}${capitalized(value)}`, `${type} ${made}`),
    type,
    made,
  };
}

/** `Partial`, since an item that failed leaves null also in lists of fields that a run always sets. */
const eachState = (node: NodeIR, scope: Scope): string | null =>
  childSettings(node).onError === "collect" ? `Partial<${scope.childState(node)}>` : scope.childState(node);

/** The input type of a called graph, widened for what the nodes of this graph give. */
function passedType(node: NodeIR, scope: Scope): string | null {
  const input = scope.childInput(node);
  const { printed, isUnset } = scope.types.passed(node);
  if (!isUnset && printed.size === 0) return input;
  const names = [...printed].sort().map(stringLiteral).join(" | ");
  return `${scope.use("Passed")}<${input}${names === "" ? "" : `, ${names}`}>`;
}

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
