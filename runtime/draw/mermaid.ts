import { visible } from "../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { choosesNext, type Edge, edgeLabel, listEdges, silentEnds, splitLookup } from "./edges.js";

/** With their default configuration, most pages refuse to draw more edges than this. */
const EDGE_LIMIT = 500;

/** A graph as a Mermaid flowchart; sheet text stands only in quoted labels, as entities where it could mean more. Linear. */
export function drawMermaid(graph: GraphIR): string {
  const split = splitLookup(graph);
  const edges = listEdges(graph).flat();
  const arrows = edges.map((edge) => arrow(graph, edge, split(edge) !== undefined));
  const ends = graph.nodes.flatMap((node, i) => silentEnds(node).map((on) => silentArrow(i, on)));
  const nodes = graph.nodes.map((node, i) => `  n${i}${shape(node, i === 0)}`);
  const end = ends.length > 0 || edges.some(({ to }) => to === END) ? ['  finish(["END"])'] : [];
  const many =
    arrows.length + ends.length > EDGE_LIMIT
      ? [`%% ${arrows.length + ends.length} edges: raise Mermaid's maxEdges`]
      : [];
  return `${["flowchart TD", ...many, ...nodes, ...end, ...arrows, ...ends].join("\n")}\n`;
}

function shape(node: NodeIR, entry: boolean): string {
  const agent = node.agent.written || node.agent.type;
  const label = `"${escapeLabel(node.name)}<br/>${escapeLabel(agent)}"`;
  if (entry) return `([${label}])`;
  return choosesNext(node) || node.agent.type === "branching" ? `{{${label}}}` : `[${label}]`;
}

function arrow(graph: GraphIR, edge: Edge, split: boolean): string {
  const text = edgeLabel(graph, edge);
  const line = split ? "==>" : edge.on === "failure" || edge.on === "limit" ? "-.->" : "-->";
  return link(edge.from, edge.to, { line, text });
}

const silentArrow = (from: number, on: "next" | "success" | "failure"): string =>
  link(from, END, { line: on === "failure" ? "-.->" : "-->", text: on === "next" ? null : on });

function link(from: number, to: number, { line, text }: { line: string; text: string | null }): string {
  const label = text === null ? "" : `|"${escapeLabel(text)}"|`;
  return `  n${from} ${line}${label} ${to === END ? "finish" : `n${to}`}`;
}

/** Everything but letters, digits, spaces and the underscores inside words. */
const SPECIAL = /(?!(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))[^\p{L}\p{M}\p{N} ]/gu;

/** Mermaid shows an entity, and never reads it as syntax. */
const escapeLabel = (text: string): string =>
  visible(text).replace(SPECIAL, (character) => `#${character.codePointAt(0)};`);
