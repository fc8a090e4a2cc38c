import { isFixed, nodeData } from "../definition.js";
import type { GraphIR, Items, NodeIR, PromptIR, ReadIR } from "../ir.js";
import { isOpen } from "../types/field-type.js";
import { isRunValue, RUN_VALUES } from "../types/run-values.js";
import { typeMembers } from "../types/typescript.js";
import { emitCompute } from "./compute.js";
import { emitEntries } from "./data.js";
import { agentValue, childAgent } from "./interfaces.js";
import { angles, braces, type Doc, layOut, union, WIDTH } from "./layout.js";
import { docComment, isPlainName, propertyKey, propertyRead, stringLiteral } from "./literals.js";
import { longString, longTemplate } from "./long-text.js";
import { isWord, type Scope } from "./scope.js";

interface Maker {
  readonly name: string;
  readonly state: string;
}

interface Making {
  readonly scope: Scope;
  readonly maker: (items: Items) => Maker;
  readonly makers: () => readonly string[];
}

export function emitNodes(graph: GraphIR, scope: Scope): string {
  const making = createMaking(scope);
  const entries = graph.nodes.map((node) => emitNode(node, making));
  const children = graph.nodes.flatMap((node) => childAgent(node, scope) ?? []);
  const lines = new Set(children.map(constant));
  return `${[...lines, ...making.makers()].join("\n")}\nconst nodes: ${scope.names.nodes} = {\n${entries.join("")}};`;
}

function constant({ name, type, made }: { readonly [part in "name" | "type" | "made"]: string }): string {
  const line = `const ${name}: ${type} = ${made};`;
  return line.length <= WIDTH ? line : `const ${name}: ${type} =\n  ${made};`;
}

function createMaking(scope: Scope): Making {
  const known = new Map<string, Maker>();
  const plain: Maker = { name: "node", state: scope.names.state };
  const lines = [`const node = ${scope.call("nodeOf")}<${plain.state}>();`];
  const add = (items: Items): Maker => {
    const written = branchState(items.writes, scope);
    const state = branchState(items.reads, scope);
    const name = scope.own("branchNode");
    const types = written === state ? state : `${written}, ${state}`;
    lines.push(docComment(aboutItems(items), 0).trimEnd());
    lines.push(`const ${name} = ${scope.call("nodeOf")}<${types}>();`);
    return { name, state };
  };
  const maker: Making["maker"] = (items) => {
    if (items.writes.length + items.reads.length === 0) return plain;
    const key = JSON.stringify(items);
    const made = known.get(key) ?? add(items);
    known.set(key, made);
    return made;
  };
  return { scope, maker, makers: () => lines };
}

const aboutItems = ({ writes, reads }: Items): string =>
  writes.length === reads.length
    ? "Inside the branches these fields are one item each."
    : "What is written inside the branches is one item; what is read was there at the split.";

/** The state as a node inside branches sees it: each nested list needs one more `Branch`. */
function branchState(items: readonly string[], scope: Scope): string {
  const layers = new Map<string, number>();
  for (const field of items) layers.set(field, (layers.get(field) ?? 0) + 1);
  let state = scope.names.state;
  let fields = [...layers.keys()];
  for (let layer = 1; fields.length > 0; layer++) {
    state = `${scope.use("Branch")}<${state}, ${fields.map(stringLiteral).join(" | ")}>`;
    fields = fields.filter((field) => (layers.get(field) as number) > layer);
  }
  return state;
}

function emitNode(node: NodeIR, { scope, maker }: Making): string {
  const { name, state } = maker(node.items);
  const { takes, ...others } = nodeData(node);
  const options: readonly Doc[] = [
    emitInputs(node, state, scope),
    ...emitEntries(takes === undefined ? {} : { takes }),
    ...(node.prompt === null ? [] : [emitPrompt(node, node.prompt, scope)]),
    ...emitCompute(node, scope),
    ...emitEntries(others, (key) => key === "settings"),
  ];
  const lines = options.map((doc) => `    ${layOut(doc, { indent: 4, column: 4, tail: 1 })},\n`).join("");
  const head = `  ${propertyKey(node.name)}: ${name}(`;
  const agent = layOut(agentValue(node, scope), { indent: 2, column: head.length, tail: 3 });
  return `${docComment(node.description, 2)}${head}${agent}, {\n${lines}  }),\n`;
}

/**
 * Prints `inputs: ({ a }) => ({ a })`. A closure is a quarter faster than a list of names:
 * V8 learns the shape of the inputs from an object literal.
 */
function emitInputs({ reads: all }: NodeIR, state: string, scope: Scope): Doc {
  if (all.length === 0) return "inputs: () => ({})";
  const reads = all.filter(({ field }) => !isRunValue(field));
  const readsRun = reads.length < all.length;
  const fields = distinct(reads.map(({ field }) => field));
  const isCalled = (read: ReadIR): boolean => read.path.length > 0 || read.isOpen;
  const hasCalls = reads.some(isCalled);
  const unpacked = canUnpack(fields, [...(hasCalls ? ["at"] : []), ...(readsRun ? ["run"] : [])]);
  const entries = all.map((read) => {
    if (isRunValue(read.field)) return `${propertyKey(read.param)}: run.${RUN_VALUES[read.field]}`;
    const value = unpacked ? read.field : propertyRead("state", read.field);
    const got = isCalled(read) ? pathRead(value, read, scope) : value;
    return got === read.param ? got : `${propertyKey(read.param)}: ${got}`;
  });
  const from: Doc = fields.length === 0 ? "_" : unpacked ? braces(fields) : "state";
  const run = readsRun ? ", run" : "";
  return ["inputs: (", from, readsType(reads, state, scope), run, ") => (", braces(entries), ")"];
}

/** True for names that can be variables and do not shadow a function that is called. */
const canUnpack = (names: readonly string[], called: readonly string[]): boolean =>
  names.every((name) => isPlainName(name) && !isWord(name) && !called.includes(name));

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** Only reads that may find nothing need a type: `nodeOf` infers that of fields that are always set. */
function readsType(reads: readonly ReadIR[], state: string, scope: Scope): Doc {
  if (reads.every(({ isSet }) => isSet)) return "";
  const names = (sure: boolean): Doc =>
    union(distinct(reads.filter((read) => read.isSet === sure).map(({ field }) => stringLiteral(field))));
  return [": ", scope.use("Reads"), angles([state, names(true), names(false)])];
}

/** A value inside a field. The driver checks it against the type in the sheet, so a type argument is safe. */
function pathRead(value: string, read: ReadIR, scope: Scope): string {
  const { path, type, optional } = read;
  const mayBeUnset = optional || (path.length === 0 && !read.isSet);
  const typed =
    type === null || isOpen(type)
      ? ""
      : `<${typeMembers(type, scope.typeNames).join(" | ")}${mayBeUnset ? " | undefined" : ""}>`;
  return valueAt(value, path, scope, typed);
}

const valueAt = (value: string, path: readonly string[], scope: Scope, typed = ""): string =>
  `${scope.call("at")}${typed}(${[value, ...path.map(stringLiteral)].join(", ")})`;

/** A prompt is a text, or a function of the inputs. `{error}` is read from the state, its second parameter. */
function emitPrompt({ reads }: NodeIR, prompt: PromptIR, scope: Scope): Doc {
  if (isFixed(prompt)) return ["prompt:", longString(prompt.join(""), { hangs: true })];
  const params = new Set(reads.map(({ param }) => param));
  const heads = prompt.flatMap((part) => (typeof part === "string" ? [] : (part[0] ?? [])));
  const fromInputs = distinct(heads.filter((head) => params.has(head)));
  const fromState = distinct(heads.filter((head) => !params.has(head)));
  const unpacked = canUnpack([...fromInputs, ...fromState], ["text", "at"]);
  const parts = prompt.map((part) => {
    if (typeof part === "string") return { text: part };
    const [head = "", ...path] = part;
    const from = params.has(head) ? "inputs" : "state";
    const value = unpacked ? head : propertyRead(from, head);
    return { read: `${scope.call("text")}(${path.length === 0 ? value : valueAt(value, path, scope)})` };
  });
  const inputs: Doc = unpacked && fromInputs.length > 0 ? braces(fromInputs) : "inputs";
  const state: Doc = unpacked ? braces(fromState) : "state";
  const parameters: Doc =
    fromState.length > 0
      ? ["(", fromInputs.length > 0 ? inputs : "_", ", ", state, ")"]
      : ["(", ...(fromInputs.length > 0 ? [inputs] : []), ")"];
  const [only] = parts;
  const body =
    only !== undefined && parts.length === 1 && "read" in only ? ` ${only.read}` : longTemplate(parts);
  return ["prompt: ", parameters, " =>", body];
}
