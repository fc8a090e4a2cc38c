import { routeData, splitData } from "../definition.js";
import type { GraphIR } from "../ir.js";
import { docComment } from "./comments.js";
import { emitEntries } from "./data.js";
import { braces, type Doc, layOut } from "./layout.js";
import { propertyKey } from "./literals.js";
import type { Scope } from "./scope.js";

export function emitRoutes(graph: GraphIR, scope: Scope): string {
  const routeOf = routeData(graph);
  const lines = graph.nodes.map((node) =>
    nodeLine(node.name, braces(emitEntries(routeOf(node), (key) => key === "about"))),
  );
  const docs =
    "Where each outcome leads; an outcome without target ends the run, a throw without `failure` fails it.";
  const type = `${scope.use("Routes")}<${scope.names.node}>`;
  return `${docComment(docs, 0)}const routes: ${type} = {\n${lines.join("")}};`;
}

function nodeLine(name: string, value: Doc): string {
  const head = `  ${propertyKey(name)}: `;
  return `${head}${layOut(value, { indent: 2, column: head.length, tail: 1 })},\n`;
}

export function emitSplits(graph: GraphIR, scope: Scope): string | null {
  const { splits } = splitData(graph);
  if (splits === undefined) return null;
  const lines = Object.entries(splits).map(([node, edges]) => nodeLine(node, braces(emitEntries(edges))));
  const docs = docComment("The nodes that each branch of a split runs alone, before the branches meet.", 0);
  const type = `${scope.use("Splits")}<${scope.names.node}>`;
  return `${docs}const splits: ${type} = {\n${lines.join("")}};`;
}
