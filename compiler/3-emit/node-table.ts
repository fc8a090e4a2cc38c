import { type InterfaceDeclarationStructure, StructureKind } from "ts-morph";
import {
  END,
  type FieldType,
  type GraphIR,
  type Json,
  type NodeIR,
  type PromptIR,
  type SplitIR,
  type Target,
} from "../ir.js";
import { emitType, emitTypeData } from "./field-type.js";
import { commentText, propertyKey, propertyRead, stringLiteral, templateText } from "./literals.js";
import type { Scope } from "./scope.js";

/** The agent of each node, and what it writes, as a type. */
export function emitNodesInterface(graph: GraphIR, scope: Scope): InterfaceDeclarationStructure {
  const properties = graph.nodes.map((node) => {
    const writes = [...new Set(node.writes.map(({ field }) => stringLiteral(field)))].join(" | ") || "never";
    return {
      name: propertyKey(node.name),
      type: `${scope.use("Node")}<typeof ${typedAgent(node, scope)}, ${writes}>`,
    };
  });
  const docs = ["The agent of each node, and what it writes."];
  return { kind: StructureKind.Interface, name: scope.types.nodes, isExported: true, docs, properties };
}

/** Agents that produce what the sheet says take that type as their argument. */
const GENERIC = new Set([
  "default",
  "echo",
  "input",
  "human",
  "llm",
  "openai",
  "anthropic",
  "google",
  "json_reader",
  "csv_reader",
  "file_reader",
]);
/** Those of them that produce a mapping when there are several outputs. */
const MAPPING = new Set(["llm", "openai", "anthropic", "google"]);

function typedAgent(node: NodeIR, scope: Scope): string {
  const name = scope.agent(node);
  const [write] = node.writes;
  if (!node.agent.builtin || !GENERIC.has(node.agent.type) || write === undefined) return name;
  if (node.writes.length === 1) return `${name}<${emitType(write.type ?? { kind: "unknown" })}>`;
  if (!MAPPING.has(node.agent.type)) return name;
  const entries = node.writes.map(
    ({ key, type }) => `${propertyKey(key)}: ${emitType(type ?? { kind: "unknown" })}`,
  );
  return `${name}<{ ${entries.join("; ")} }>`;
}

/** The node table: for each node its agent, what it reads, its prompt, and what it writes. */
export function emitNodes(graph: GraphIR, scope: Scope): string {
  const entries = graph.nodes.map((node) => emitNode(node, scope));
  const make = `const node = ${scope.call("nodeOf")}<${scope.types.state}>();`;
  return `${make}\nconst nodes: ${scope.types.nodes} = {\n${entries.join("")}};`;
}

function emitNode(node: NodeIR, scope: Scope): string {
  const description = commentText(node.description);
  const lines = [
    `inputs: ${emitInputs(node, scope)},`,
    ...(node.prompt === null ? [] : [`prompt: ${emitPrompt(node, node.prompt, scope)},`]),
    ...(node.writes.length === 0 ? [] : [`writes: [${node.writes.map(emitWrite).join(", ")}],`]),
    ...nodeSettings(node).map(([name, value]) => `${name}: ${emitJson(value)},`),
  ];
  const docs = description === "" ? "" : `  /** ${description} */\n`;
  const options = lines.map((line) => `    ${line}\n`).join("");
  return `${docs}  ${propertyKey(node.name)}: node(${typedAgent(node, scope)}, {\n${options}  }),\n`;
}

function nodeSettings(node: NodeIR): readonly (readonly [string, Json])[] {
  const settings: (readonly [string, Json])[] = [];
  if (Object.keys(node.settings).length > 0) settings.push(["settings", node.settings]);
  if (node.retry !== null) settings.push(["retry", { ...node.retry }]);
  if (node.timeoutMs !== null) settings.push(["timeoutMs", node.timeoutMs]);
  if (node.maxVisits !== null) settings.push(["maxVisits", node.maxVisits]);
  if (Object.keys(node.merge).length > 0) settings.push(["merge", node.merge]);
  return settings;
}

/** Settings as they stand in the sheet. Depth is bounded by the parser. */
function emitJson(value: Json): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(emitJson).join(", ")}]`;
  const entries = Object.entries(value).map(([key, one]) => `${propertyKey(key)}: ${emitJson(one)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function emitWrite({ key, field, type, annotated }: NodeIR["writes"][number]): string {
  const needsType = annotated && type !== null && type.kind !== "string";
  if (key === field && !needsType) return stringLiteral(field);
  const typed = needsType ? `, type: ${emitTypeData(type as FieldType)}` : "";
  return `{ field: ${stringLiteral(field)}${key === field ? "" : `, key: ${stringLiteral(key)}`}${typed} }`;
}

function emitInputs(node: NodeIR, scope: Scope): string {
  if (node.reads.length === 0) return "() => ({})";
  const names = (sure: boolean): string =>
    [
      ...new Set(node.reads.filter((read) => read.sure === sure).map(({ field }) => stringLiteral(field))),
    ].join(" | ") || "never";
  const maybe = names(false);
  const reads = `${scope.use("Reads")}<${scope.types.state}, ${names(true)}${maybe === "never" ? "" : `, ${maybe}`}>`;
  const entries = node.reads.map(
    ({ param, field, path }) => `${propertyKey(param)}: ${emitRead(field, path, scope)}`,
  );
  return `(state: ${reads}) => ({ ${entries.join(", ")} })`;
}

function emitRead(field: string, path: readonly string[], scope: Scope): string {
  const read = propertyRead("state", field);
  return path.length === 0 ? read : `${scope.call("at")}(${[read, ...path.map(stringLiteral)].join(", ")})`;
}

function emitPrompt(node: NodeIR, prompt: PromptIR, scope: Scope): string {
  const placeholders = prompt.filter((part) => typeof part !== "string");
  const parts = prompt.map((part) => {
    if (typeof part === "string") return templateText(part);
    const [head = "", ...path] = part;
    const from = node.reads.some(({ param }) => param === head) ? "inputs" : "state";
    const value = propertyRead(from, head);
    const read =
      path.length === 0 ? value : `${scope.call("at")}(${[value, ...path.map(stringLiteral)].join(", ")})`;
    return `\${${scope.call("text")}(${read})}`;
  });
  const parameters = node.errorInPrompt ? "(inputs, state)" : placeholders.length > 0 ? "(inputs)" : "()";
  return `${parameters} => \`${parts.join("")}\``;
}

/** Where each outcome leads. */
export function emitRoutes(graph: GraphIR, scope: Scope): string {
  const hasEnd = graph.nodes.some(({ name }) => name === "END");
  const one = (target: Target): string => {
    if (target === END) return hasEnd ? "null" : '"END"';
    return stringLiteral(graph.nodes[target]?.name ?? "");
  };
  const list = (targets: readonly Target[]): string =>
    targets.length === 1 ? one(targets[0] as Target) : `[${targets.map(one).join(", ")}]`;
  const lines = graph.nodes.map((node) => {
    const routes = [
      ...(node.next.length === 0 ? [] : [`next: ${list(node.next)}`]),
      ...(node.onSuccess.length === 0 ? [] : [`success: ${list(node.onSuccess)}`]),
      ...(node.onFailure.length === 0 ? [] : [`failure: ${list(node.onFailure)}`]),
      ...(node.maxVisits === null ? [] : [`limit: ${one(node.onLimit)}`]),
      ...(node.cases.length === 0
        ? []
        : [
            `cases: { ${node.cases.map(({ value, target }) => `${propertyKey(value)}: ${one(target)}`).join(", ")} }`,
          ]),
      ...(node.otherwise === null ? [] : [`otherwise: ${one(node.otherwise)}`]),
      ...(node.candidates.length === 0 ? [] : [`about: ${emitAbout(graph, node)}`]),
    ];
    return `  ${propertyKey(node.name)}: ${routes.length === 0 ? "{}" : `{ ${routes.join(", ")} }`},\n`;
  });
  const docs =
    "/** Where each outcome leads; an outcome without target ends the run, a throw without `failure` fails it. */";
  return `${docs}\nconst routes: ${scope.use("Routes")}<${scope.types.node}> = {\n${lines.join("")}};`;
}

/** What the sheet says of the nodes to choose from. */
function emitAbout(graph: GraphIR, { candidates }: NodeIR): string {
  const entries = candidates.map(
    ({ target, about }) => `${propertyKey(graph.nodes[target]?.name ?? "")}: ${stringLiteral(about)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

/** The nodes that each branch of a split runs alone; null when nothing splits. */
export function emitSplits(graph: GraphIR, scope: Scope): string | null {
  if (graph.splits.length === 0) return null;
  const byNode = groupByNode(graph.splits);
  const lines = [...byNode].map(([node, splits]) => {
    const columns = splits.map(({ by, branches }) => {
      const lists = branches.map(
        (nodes) => `[${nodes.map((v) => stringLiteral(graph.nodes[v]?.name ?? "")).join(", ")}]`,
      );
      return `${by}: [${lists.join(", ")}]`;
    });
    return `  ${propertyKey(graph.nodes[node]?.name ?? "")}: { ${columns.join(", ")} },\n`;
  });
  const docs = "/** The nodes that each branch of a split runs alone, before the branches meet. */";
  return `${docs}\nconst splits: ${scope.use("Splits")}<${scope.types.node}> = {\n${lines.join("")}};`;
}

function groupByNode(splits: readonly SplitIR[]): ReadonlyMap<number, readonly SplitIR[]> {
  const groups = new Map<number, SplitIR[]>();
  for (const split of splits) groups.set(split.node, [...(groups.get(split.node) ?? []), split]);
  return groups;
}
