import type { FieldIR, FieldType, GraphIR, MergeKind, NodeIR, WriteIR } from "../ir.js";
import { childAgent, leavesGaps } from "./child-agent.js";
import { braces, brackets, type Doc, union } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";
import { isReceipt, receiptType } from "./receipt.js";
import { childSettings, type Scope } from "./scope.js";

/** A field's type as TypeScript writes it: the members of a union, in an order of their own. */
export function typeMembers(type: FieldType): readonly string[] {
  switch (type.kind) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return [type.kind];
    case "any":
      return ["unknown"];
    case "object":
      return [MAPPING];
    case "list":
      return ["readonly unknown[]"];
    case "list-of":
      return [`readonly ${itemText(type.item)}[]`];
    case "choice":
      return type.values.map(stringLiteral);
    case "union":
      return sortedTypes(type.members.flatMap(typeMembers));
  }
}

const MAPPING = "{ readonly [key: string]: unknown }";

const itemText = (item: string): string => (item === "object" ? MAPPING : item);

const ORDER = ["string", "number", "boolean"];

/** Without repetitions, the plain ones first: the order of rows changes no type. */
function sortedTypes(types: readonly string[]): readonly string[] {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return ["unknown"];
  const rank = (type: string): number => {
    const index = ORDER.indexOf(type);
    return index === -1 ? ORDER.length : index;
  };
  return distinct.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** A type on one line. */
export const typeText = (type: FieldType): string => typeMembers(type).join(" | ");

/** A field's type as data, for the runtime's conversions. */
export function typeData(type: FieldType): Doc {
  const kind = `kind: ${stringLiteral(type.kind)}`;
  if (type.kind === "list-of") return braces([kind, `item: ${stringLiteral(type.item)}`]);
  if (type.kind === "choice") return braces([kind, ["values: ", brackets(type.values.map(stringLiteral))]]);
  if (type.kind === "union") return braces([kind, ["members: ", brackets(type.members.map(typeData))]]);
  return braces([kind]);
}

/** Gives the type of each field of a graph, as its interfaces state it. */
export function createFieldTypes(graph: GraphIR, scope: Scope): (field: FieldIR) => Doc {
  const merges = findMerges(graph);
  return (field) => {
    const { name, type, writers, readers } = field;
    if (name === "error") return "string";
    const writing = writers.flatMap((v) => writesTo(graph.nodes[v]!, name).map((write) => ({ v, write })));
    if (
      writing.some(({ v, write }) => {
        const node = graph.nodes[v]!;
        return isDeclared(node, write) || isEachList(node, write) || hasGaps(node, write);
      })
    )
      return union(
        sortedTypes(
          writing.flatMap(({ v, write }) =>
            merged(writtenMembers(graph.nodes[v]!, write, scope), merges.get(`${v} ${name}`)),
          ),
        ),
      );
    if (writers.length === 0 && (type.kind === "unknown" || field.checks.length > 1))
      return givenType(graph, { ...field, readers }, scope);
    return union(typeMembers(type));
  };
}

const writesTo = (node: NodeIR, field: string): readonly WriteIR[] =>
  node.writes.filter((write) => write.field === field);

/** True for an output whose type only the agent's code tells: a custom agent, another graph, or what writes files. */
const isDeclared = (node: NodeIR, write: WriteIR): boolean =>
  isReceipt(node, write) ||
  (node.agent.builtin
    ? isCall(node) && (write.type === null || write.type.kind === "unknown")
    : write.type === null);

/** A list of a loop: what it holds for an item that wrote nothing is known to the loop's own type. */
const isEachList = (node: NodeIR, { annotated }: WriteIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && !isCall(node) && !annotated;

/** A list of a loop in which an item that failed left null, whatever the sheet says its items are. */
const hasGaps = (node: NodeIR, { key }: WriteIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && leavesGaps(node) && key !== "errors";

const isCall = (node: NodeIR): boolean =>
  node.agent.builtin && node.agent.type === "graph" && childSettings(node).over === undefined;

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

/** What the merge at the end of a split makes of what its branches write. */
function merged(types: readonly string[], merge: MergeKind | undefined): readonly string[] {
  if (merge === "sum") return ["number"];
  if (merge !== "append") return types;
  const [only = "unknown"] = types;
  if (types.length > 1) return [`readonly (${types.join(" | ")})[]`];
  return [`readonly ${/^[\w.]+(?:<.*>)?$|^\{.*\}$|^"[^"]*"$/.test(only) ? only : `(${only})`}[]`];
}

/** What the merges of splits do, by a node of their branches and its field. */
function findMerges({ nodes, splits }: GraphIR): ReadonlyMap<string, MergeKind> {
  const merges = new Map<string, MergeKind>();
  for (const { branches, merge } of splits) {
    if (Object.keys(merge).length === 0) continue;
    for (const v of branches.flat())
      for (const { field } of nodes[v]!.writes)
        if (Object.hasOwn(merge, field)) merges.set(`${v} ${field}`, merge[field]!);
  }
  return merges;
}

/** The fields of each node's branch that a merge makes lists of: inside, each is one item. Linear in such branches. */
export function findItems({ nodes, splits }: GraphIR): ReadonlyMap<number, readonly string[]> {
  const items = new Map<number, Set<string>>();
  for (const { branches, merge } of splits) {
    const fields = Object.keys(merge).filter((field) => merge[field] === "append");
    if (fields.length === 0) continue;
    for (const v of branches.flat()) {
      const { reads, writes } = nodes[v]!;
      const used = fields.filter((name) => [...reads, ...writes].some(({ field }) => field === name));
      if (used.length > 0) items.set(v, new Set([...(items.get(v) ?? []), ...used]));
    }
  }
  return new Map([...items].map(([v, fields]) => [v, [...fields].sort()]));
}

/** What only the caller gives has the type that all its readers take. */
function givenType(graph: GraphIR, field: FieldIR, scope: Scope): Doc {
  const types = new Set<string>();
  for (const type of field.checks) types.add(parenthesized(typeMembers(type)));
  for (const v of field.readers) {
    const node = graph.nodes[v]!;
    if (node.agent.builtin) continue;
    for (const read of node.reads) {
      if (read.field !== field.name || read.path.length > 0 || read.type !== null) continue;
      types.add(`${scope.use("Input")}<typeof ${scope.agent(node)}, ${stringLiteral(read.param)}>`);
    }
  }
  types.delete("unknown");
  if (types.size === 0) return "unknown";
  const sorted = [...types].sort();
  return { kind: "fitted", flat: sorted.join(" & "), broken: () => sorted.join(" &\n    ") };
}

const parenthesized = (members: readonly string[]): string =>
  members.length === 1 ? members[0]! : `(${members.join(" | ")})`;

/** The members of an object type. */
export const objectType = (entries: readonly (readonly [key: string, type: string])[]): string =>
  `{ ${entries.map(([key, type]) => `readonly ${propertyKey(key)}: ${type}`).join("; ")} }`;
