import { visible } from "../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { type Arrow, choosesNext, listArrows } from "./edges.js";

/** With their default configuration, most pages refuse to draw more edges than this. */
const EDGE_LIMIT = 500;

/** A graph as a Mermaid flowchart; sheet text stands only in quoted labels, as entities where it could mean more. Linear. */
export function drawMermaid(graph: GraphIR): string {
  const arrows = listArrows(graph);
  const nodes = graph.nodes.map((node, i) => `  n${i}${shape(node, i === 0)}`);
  const end = arrows.some(({ to }) => to === END) ? ['  finish(["END"])'] : [];
  const many = arrows.length > EDGE_LIMIT ? [`%% ${arrows.length} edges: raise Mermaid's maxEdges`] : [];
  return `${["flowchart TD", ...many, ...nodes, ...end, ...arrows.map(arrowText)].join("\n")}\n`;
}

function shape(node: NodeIR, entry: boolean): string {
  const agent = node.agent.written || node.agent.type;
  const label = `"${escapeLabel(node.name)}<br/>${escapeLabel(agent)}"`;
  if (entry) return `([${label}])`;
  return choosesNext(node) || node.agent.type === "branching" ? `{{${label}}}` : `[${label}]`;
}

function arrowText({ from, to, on, label, isSplit }: Arrow): string {
  const line = isSplit ? "==>" : on === "failure" || on === "limit" ? "-.->" : "-->";
  const text = label === null ? "" : `|"${escapeLabel(label)}"|`;
  return `  n${from} ${line}${text} ${to === END ? "finish" : `n${to}`}`;
}

/** Everything but letters, digits, spaces and the underscores inside words. */
const SPECIAL = /(?!(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))[^\p{L}\p{M}\p{N} ]/gu;

/** Mermaid shows an entity, and never reads it as syntax. */
const escapeLabel = (text: string): string =>
  visible(text).replace(SPECIAL, (character) => `#${character.codePointAt(0)};`);
