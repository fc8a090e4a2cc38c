import { clip, visible } from "../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { type Arrow, choosesNext, listArrows } from "./edges.js";

/** A graph in Graphviz's language; sheet text stands only in quoted strings. Linear. */
export function drawDot(graph: GraphIR): string {
  const arrows = listArrows(graph);
  const end = arrows.some(({ to }) => to === END) ? ["  end [label=END, shape=oval];"] : [];
  const lines = [
    `digraph ${quote(graph.name)} {`,
    "  rankdir=TB;",
    '  node [shape=box, style=rounded, fontname="Helvetica"];',
    '  edge [fontname="Helvetica", fontsize=10];',
    "  start [shape=point, width=0.15];",
    ...graph.nodes.map((node, i) => `  n${i} [${nodeAttributes(node).join(", ")}];`),
    ...end,
    ...(graph.nodes.length > 0 ? ["  start -> n0;"] : []),
    ...arrows.map(arrowText),
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

function arrowText({ from, to, on, label, isSplit, isSilent }: Arrow): string {
  const attributes = isSilent ? ["style=dotted"] : [];
  if (label !== null) attributes.push(`label=${quote(label)}`);
  if (!isSilent && (on === "failure" || on === "limit")) attributes.push("style=dashed");
  if (isSplit) attributes.push("penwidth=2");
  const told = attributes.length > 0 ? ` [${attributes.join(", ")}]` : "";
  return `  n${from} -> ${to === END ? "end" : `n${to}`}${told};`;
}

/** Text of a sheet must not contain escapes or entities that Graphviz would read. */
function quote(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    visible(line).replace(/\\/g, "\\\\").replace(/&/g, "&amp;").replace(/"/g, '\\"'),
  );
  return `"${escaped.join("\\n")}"`;
}
