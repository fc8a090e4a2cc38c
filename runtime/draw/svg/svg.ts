import { clip, visible } from "../../../compiler/diagnostics/visible.js";
import { END, type GraphIR, type NodeIR } from "../../../compiler/ir.js";
import { listEdges, targetName } from "../edges.js";
import type { Box, Drawing, Label, Shape, TextLine, Way } from "./geometry.js";
import { FONTS } from "./inscription.js";
import { layOutGraph } from "./layout.js";
import { familyOf, STYLE } from "./svg-style.js";
import { isWidthKnown } from "./text-width.js";

/** The limit for the description in words. */
const WORDS = 5000;

/** A graph as an SVG document for light and dark pages, without scripts, links or outside fonts. */
export async function drawSvg(graph: GraphIR): Promise<string> {
  return writeSvg(graph, await layOutGraph(graph));
}

/** A picture is drawn again with each key: one with more nodes and ways is not drawn while somebody types. */
const MOST_DRAWN = 10_000;

/** A picture for somebody who types; of a very large graph, one that says how to have it drawn. */
export async function drawSoon(graph: GraphIR): Promise<string> {
  const { nodes } = graph;
  let drawn = nodes.length;
  for (const node of nodes) drawn += waysOf(node);
  return drawn > MOST_DRAWN ? writeRefusal(graph, nodes.length) : drawSvg(graph);
}

const waysOf = ({ next, onSuccess, onFailure, cases }: NodeIR): number =>
  next.length + onSuccess.length + onFailure.length + cases.length;

function writeRefusal({ name }: GraphIR, count: number): string {
  const said = [
    `${clip(name, 60)} has ${count.toLocaleString("en-US")} nodes: too many to draw while you type.`,
    "flowsheet inspect --format svg draws them.",
  ];
  const lines = said.map(
    (text, i): TextLine => ({ role: "name", text, x: 20, y: 30 + 24 * i, centred: false }),
  );
  return svgOf({ name, words: said.join(" "), width: 720, height: 80 }, lines.map(writeText));
}

/** Writes a drawing: sheet text stands only in text nodes, escaped. Linear. */
function writeSvg(graph: GraphIR, drawing: Drawing): string {
  const width = Math.ceil(Math.max(drawing.width, 160));
  const height = Math.ceil(Math.max(drawing.height, 60));
  return svgOf({ name: graph.name, words: inWords(graph), width, height }, [
    ...drawing.ways.map((way) => writeWay(graph, way)),
    ...drawing.ways.flatMap((way) => (way.label === null ? [] : [writeLabel(way.label, wayClass(way))])),
    ...drawing.shapes.map((shape) => writeShape(graph, shape)),
  ]);
}

interface Paper {
  readonly name: string;
  readonly words: string;
  readonly width: number;
  readonly height: number;
}

function svgOf({ name, words, width, height }: Paper, content: readonly string[]): string {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="flowsheet-graph" role="img" ${size}>`,
    `<title>${escapeXml(name)}</title>`,
    `<desc>${escapeXml(clip(words, WORDS))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...content,
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** The graph in words for screen readers; a large one is cut. */
function inWords(graph: GraphIR): string {
  const name = targetName(graph);
  const nodes = graph.nodes.slice(0, 100);
  const edges = listEdges({ ...graph, nodes });
  const sentences = nodes.map((node, v) => {
    const ways = (edges[v] ?? []).slice(0, 20).map(({ on, to }) => `${on} ${name(to) ?? "the end"}`);
    return `${node.name}: ${ways.length === 0 ? "the end" : ways.join(", ")}.`;
  });
  const { length } = graph.nodes;
  const more = length > nodes.length ? [`And ${length - nodes.length} more nodes.`] : [];
  return [`${length} nodes, from ${graph.nodes[0]?.name ?? "nowhere"}.`, ...sentences, ...more].join(" ");
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

/** The direction from the tip of an arrow to its base. */
const BACKWARD = { down: { x: 0, y: -1 }, up: { x: 0, y: 1 }, left: { x: 1, y: 0 } } as const;

function arrowHead({ steps, start, heading, toBar }: Way): string {
  if (toBar) return "";
  const tip = steps.at(-1)?.to ?? start;
  const { x, y } = BACKWARD[heading];
  const base = { x: tip.x + 9 * x, y: tip.y + 9 * y };
  const [one, other] = [at(base.x + 4.5 * y, base.y + 4.5 * x), at(base.x - 4.5 * y, base.y - 4.5 * x)];
  return `<path class="head" d="M${at(tip.x, tip.y)}L${one}L${other}Z"/>`;
}

function writeLabel({ box, line, full }: Label, kind: string): string {
  const title = line.text === full ? "" : `<title>${escapeXml(full)}</title>`;
  return `<g class="label ${kind}">${title}<rect ${place(box)} rx="4"/>${writeLines([line], box)}</g>`;
}

/** Text that may be wider than measured is clipped. */
function writeLines(lines: readonly TextLine[], box: Box): string {
  const text = lines.map(writeText).join("");
  if (lines.every((line) => isWidthKnown(line.text))) return text;
  const view = `${n(box.x - box.width / 2)} ${n(box.y - box.height / 2)} ${n(box.width)} ${n(box.height)}`;
  return `<svg ${place(box)} viewBox="${view}">${text}</svg>`;
}

function writeShape(graph: GraphIR, { kind, box, node, lines }: Shape): string {
  const sign = (title: string, shape: string): string =>
    `<g class="${SIGNS[kind]}"><title>${title}</title>${shape}</g>`;
  const bar = `<rect ${place(box)} rx="3"/>`;
  const circle = `<circle cx="${n(box.x)}" cy="${n(box.y)}" r="${n(box.width / 2 - 1)}"/>`;
  const pill = `<rect ${place(box)} rx="${n(box.height / 2)}"/>${lines.map(writeText).join("")}`;
  if (kind === "start") return sign("the start", circle);
  if (kind === "fork") return sign("all at the same time", bar);
  if (kind === "join") return sign("waits for all branches", bar);
  if (kind === "end") return sign("the end", pill);
  const ir = graph.nodes[node];
  return ir === undefined ? "" : writeNode(ir, { box, lines }, node === 0);
}

const SIGNS = { start: "start", fork: "bar", join: "bar", end: "end", node: "node" } as const;

function writeNode(node: NodeIR, { box, lines }: Pick<Shape, "box" | "lines">, entry: boolean): string {
  const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
  const strip = `<path class="strip" d="M${at(left + 6, top)}a6,6 0 0 0 -6,6v${n(box.height - 12)}a6,6 0 0 0 6,6z"/>`;
  const kind = `node ${familyOf(node.agent)}${entry ? " entry" : ""}${node.reachable ? "" : " dead"}`;
  return `<g class="${kind}"><title>${escapeXml(nodeTitle(node))}</title><rect ${place(box)} rx="6"/>${strip}${writeLines(lines, box)}</g>`;
}

function nodeTitle({ name, agent, row, description, reachable }: NodeIR): string {
  const about = description === "" ? "" : ` - ${clip(description, 1000)}`;
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
