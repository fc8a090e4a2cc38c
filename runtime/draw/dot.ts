import { clip, visible } from "../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { choosesNext, type Edge, edgeLabel, listEdges, silentEnds, splitLookup } from "./edges.js";

/** A graph in Graphviz's language; sheet text stands only in quoted strings. Linear. */
export function drawDot(graph: GraphIR): string {
  const split = splitLookup(graph);
  const edges = listEdges(graph).flat();
  const arrows = edges.map((edge) => arrow(graph, edge, split(edge) !== undefined));
  const ends = graph.nodes.flatMap((node, i) =>
    silentEnds(node).map((on) =>
      link(i, END, on === "next" ? ["style=dotted"] : ["style=dotted", `label=${quote(on)}`]),
    ),
  );
  const end = ends.length > 0 || edges.some(({ to }) => to === END) ? ["  end [label=END, shape=oval];"] : [];
  const lines = [
    `digraph ${quote(graph.name)} {`,
    "  rankdir=TB;",
    '  node [shape=box, style=rounded, fontname="Helvetica"];',
    '  edge [fontname="Helvetica", fontsize=10];',
    "  start [shape=point, width=0.15];",
    ...graph.nodes.map((node, i) => `  n${i} [${nodeAttributes(node).join(", ")}];`),
    ...end,
    ...(graph.nodes.length > 0 ? ["  start -> n0;"] : []),
    ...arrows,
    ...ends,
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function nodeAttributes(node: NodeIR): readonly string[] {
  const agent = node.agent.written || node.agent.type;
  const attributes = [`label=${quote(node.name, agent)}`];
  if (choosesNext(node)) attributes.push("shape=diamond", 'style=""');
  if (node.description !== "") attributes.push(`tooltip=${quote(clip(node.description, 1000))}`);
  return attributes;
}

function arrow(graph: GraphIR, edge: Edge, split: boolean): string {
  const text = edgeLabel(graph, edge);
  const attributes = text === null ? [] : [`label=${quote(text)}`];
  if (edge.on === "failure" || edge.on === "limit") attributes.push("style=dashed");
  if (split) attributes.push("penwidth=2");
  return link(edge.from, edge.to, attributes);
}

const link = (from: number, to: number, attributes: readonly string[]): string =>
  `  n${from} -> ${to === END ? "end" : `n${to}`}${attributes.length > 0 ? ` [${attributes.join(", ")}]` : ""};`;

/** Text of a sheet must not contain escapes or entities that Graphviz would read. */
function quote(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    visible(line).replace(/\\/g, "\\\\").replace(/&/g, "&amp;").replace(/"/g, '\\"'),
  );
  return `"${escaped.join("\\n")}"`;
}
