import { visible } from "../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
import { listEdges, targetName } from "./edges.js";
import type { Box, Drawing, Label, Shape, TextLine, Way } from "./geometry.js";
import { FONTS } from "./inscription.js";
import { layOutGraph } from "./layout.js";
import { familyOf, STYLE } from "./svg-style.js";
import { isWidthKnown } from "./text-width.js";

/** A graph as an SVG document for light and dark pages, without scripts, links or outside fonts. */
export async function drawSvg(graph: GraphIR): Promise<string> {
  return writeSvg(graph, await layOutGraph(graph));
}

/** Writes a drawing: sheet text stands only in text nodes, escaped. Linear. */
export function writeSvg(graph: GraphIR, drawing: Drawing): string {
  const note = drawing.left > 0 ? 24 : 0;
  const width = Math.ceil(Math.max(drawing.width, 160));
  const height = Math.ceil(Math.max(drawing.height, 60)) + note;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="flowsheet-graph" role="img" ${size}>`,
    `<title>${escapeXml(graph.name)}</title>`,
    `<desc>${escapeXml(inWords(graph))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...drawing.ways.map((way) => writeWay(graph, way)),
    ...drawing.ways.flatMap((way) => (way.label === null ? [] : [writeLabel(way.label, wayClass(way))])),
    ...drawing.shapes.map((shape) => writeShape(graph, shape)),
    ...(note > 0
      ? [`<text class="note" x="28" y="${height - 14}">and ${drawing.left} more nodes</text>`]
      : []),
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** The graph for those who do not see the drawing; the beginning of a large one. */
function inWords(graph: GraphIR): string {
  const name = targetName(graph);
  const nodes = graph.nodes.slice(0, 100);
  const edges = listEdges({ ...graph, nodes });
  const sentences = nodes.map((node, v) => {
    const ways = (edges[v] ?? []).slice(0, 20).map(({ on, to }) => `${on} ${name(to) ?? "the end"}`);
    return `${node.name}: ${ways.length === 0 ? "the end" : ways.join(", ")}.`;
  });
  const more =
    graph.nodes.length > nodes.length ? [`And ${graph.nodes.length - nodes.length} more nodes.`] : [];
  return [
    `${graph.nodes.length} nodes, from ${graph.nodes[0]?.name ?? "nowhere"}.`,
    ...sentences,
    ...more,
  ].join(" ");
}

function wayClass({ edge, silent, heading }: Way): string {
  const kind = edge === null || edge.on === "case" || edge.on === "otherwise" ? "next" : edge.on;
  return `way ${kind}${silent ? " silent" : ""}${heading === "up" ? " back" : ""}`;
}

function writeWay(graph: GraphIR, way: Way): string {
  const { start, steps, edge } = way;
  const path = steps.map(({ to, control }) => {
    if (control === null) return `L${at(to.x, to.y)}`;
    return `C${at(control[0].x, control[0].y)} ${at(control[1].x, control[1].y)} ${at(to.x, to.y)}`;
  });
  const title = edge === null ? "" : `<title>${escapeXml(edgeTitle(graph, edge))}</title>`;
  return `<g class="${wayClass(way)}">${title}<path d="M${at(start.x, start.y)}${path.join("")}"/>${arrowHead(way)}</g>`;
}

function edgeTitle(graph: GraphIR, { from, to, on }: NonNullable<Way["edge"]>): string {
  return `${graph.nodes[from]?.name ?? ""} → ${to === END ? "END" : (graph.nodes[to]?.name ?? "")} (${on})`;
}

function arrowHead({ steps, start, heading, toBar }: Way): string {
  const tip = steps.at(-1)?.to ?? start;
  if (toBar) return "";
  const [along, across] = {
    down: [
      [0, -9],
      [4.5, 0],
    ],
    up: [
      [0, 9],
      [4.5, 0],
    ],
    left: [
      [9, 0],
      [0, 4.5],
    ],
  }[heading] as [[number, number], [number, number]];
  const [bx, by] = [tip.x + along[0], tip.y + along[1]];
  return `<path class="head" d="M${at(tip.x, tip.y)}L${at(bx - across[0], by - across[1])}L${at(bx + across[0], by + across[1])}Z"/>`;
}

function writeLabel({ box, line, full }: Label, kind: string): string {
  const title = line.text === full ? "" : `<title>${escapeXml(full)}</title>`;
  return `<g class="label ${kind}">${title}<rect ${place(box)} rx="4"/>${writeText(line)}</g>`;
}

function writeShape(graph: GraphIR, shape: Shape): string {
  const { kind, box, node } = shape;
  if (kind === "start")
    return `<g class="start"><title>start</title><circle cx="${n(box.x)}" cy="${n(box.y)}" r="${n(box.width / 2 - 1)}"/></g>`;
  if (kind === "fork")
    return `<g class="bar"><title>all at the same time</title><rect ${place(box)} rx="3"/></g>`;
  if (kind === "join")
    return `<g class="bar"><title>waits for all branches</title><rect ${place(box)} rx="3"/></g>`;
  if (kind === "end")
    return `<g class="end"><title>the run ends</title><rect ${place(box)} rx="${n(box.height / 2)}"/>${shape.lines.map(writeText).join("")}</g>`;
  const ir = graph.nodes[node];
  return ir === undefined ? "" : writeNode(ir, shape, node === 0);
}

function writeNode(node: NodeIR, { box, lines }: Shape, entry: boolean): string {
  const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
  const strip = `<path class="strip" d="M${at(left + 6, top)}a6,6 0 0 0 -6,6v${n(box.height - 12)}a6,6 0 0 0 6,6z"/>`;
  const text = lines.map(writeText).join("");
  const known = lines.every((line) => isWidthKnown(line.text));
  // What may be wider than it was measured is clipped by a frame of its own.
  const inside = known
    ? text
    : `<svg ${place(box)} viewBox="${n(left)} ${n(top)} ${n(box.width)} ${n(box.height)}">${text}</svg>`;
  const classes = ["node", familyOf(node.agent), entry ? "entry" : "", node.reachable ? "" : "dead"].filter(
    (name) => name !== "",
  );
  return `<g class="${classes.join(" ")}"><title>${escapeXml(nodeTitle(node))}</title><rect ${place(box)} rx="6"/>${strip}${inside}</g>`;
}

function nodeTitle({ name, agent, row, description, reachable }: NodeIR): string {
  const about = description === "" ? "" : ` - ${description}`;
  return `${name} (${agent.written || agent.type}, row ${row})${about}${reachable ? "" : " - not reachable"}`;
}

function writeText({ role, text, x, y, centred }: TextLine): string {
  const anchor = centred ? ' text-anchor="middle"' : "";
  return `<text class="${role}" x="${n(x)}" y="${n(y)}" font-size="${FONTS[role].size}"${anchor}>${escapeXml(text)}</text>`;
}

const place = ({ x, y, width, height }: Box): string =>
  `x="${n(x - width / 2)}" y="${n(y - height / 2)}" width="${n(width)}" height="${n(height)}"`;

const n = (value: number): string => String(Math.round(value * 10) / 10);
const at = (x: number, y: number): string => `${n(x)},${n(y)}`;

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text for XML: nothing in it is markup, and nothing is a character that XML refuses. */
const escapeXml = (text: string): string =>
  visible(text)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
    .replace(/[\ufffe\uffff]/g, "\ufffd");
