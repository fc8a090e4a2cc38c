import { nodeData } from "../definition.js";
import type { GraphIR, Items, NodeIR } from "../ir.js";
import { docComment } from "./comments.js";
import { emitEntries } from "./data.js";
import { agentValue, childAgent } from "./interfaces.js";
import { type Doc, layOut, WIDTH } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";
import { emitInputs, emitPrompt } from "./node-reads.js";
import type { Scope } from "./scope.js";

interface Maker {
  readonly name: string;
  readonly state: string;
}

const NO_ITEMS: Items = { writes: [], reads: [] };

interface Making {
  readonly scope: Scope;
  readonly maker: (items: Items) => Maker;
  readonly makers: () => readonly string[];
}

export function emitNodes(graph: GraphIR, scope: Scope): string {
  const making = createMaking(scope);
  making.maker(NO_ITEMS);
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
  const lines: string[] = [];
  const add = (items: Items): Maker => {
    const written = branchState(items.writes, scope);
    const state = branchState(items.reads, scope);
    const isPlain = items.writes.length + items.reads.length === 0;
    if (!isPlain) lines.push(docComment(aboutItems(items), 0).trimEnd());
    const name = isPlain ? "node" : scope.own("branchNode");
    const types = written === state ? state : `${written}, ${state}`;
    lines.push(`const ${name} = ${scope.call("nodeOf")}<${types}>();`);
    return { name, state };
  };
  const maker: Making["maker"] = (items) => {
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
    ...emitEntries(others, (key) => key === "settings"),
  ];
  const lines = options.map((doc) => `    ${layOut(doc, { indent: 4, column: 4, tail: 1 })},\n`).join("");
  const head = `  ${propertyKey(node.name)}: ${name}(`;
  const agent = layOut(agentValue(node, scope), { indent: 2, column: head.length, tail: 3 });
  return `${docComment(node.description, 2)}${head}${agent}, {\n${lines}  }),\n`;
}
