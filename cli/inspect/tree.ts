import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { createPaint, type Paint, type Style } from "../../compiler/diagnostics/paint.js";
import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { nodeName } from "../../runtime/draw/describe.js";
import type { Edge } from "../../runtime/draw/edges.js";
import { fit, flowPieces, type Piece, pad } from "./columns.js";
import { fieldsTable } from "./fields-table.js";
import { type Mark, type Reference, shapeTree, type Tree, type TreeLine } from "./tree-shape.js";

export interface TreeOptions {
  readonly width?: number;
  readonly color?: boolean;
}

/** More references of one node than this are only counted. */
const REFERENCES = 60;

/** What stands before a node, and what the legend says of it. */
const MARKS: { readonly [M in Mark]: readonly [sign: string, style: Style | null, legend: string | null] } = {
  entry: ["●", "strong", null],
  next: ["→", null, "→ next"],
  success: ["✓", "help", "✓ on success"],
  failure: ["✗", "error", "✗ on failure"],
  limit: ["!", "warning", "! after the last visit"],
  split: ["⇒", null, "⇒ at the same time"],
  choice: ["?", null, "? one is chosen"],
  join: ["◆", null, "◆ ways meet"],
  below: ["↓", null, "↓ shown below"],
  dead: ["○", "warning", null],
};

/** A graph as a tree for a terminal, and a table of its fields. */
export function drawTree(graph: GraphIR, { width = 80, color = false }: TreeOptions = {}): string {
  const paint = createPaint(color);
  const room = Math.max(40, width);
  const tree = shapeTree(graph, Math.floor(room / 8));
  const lines = [heading(graph, room, paint), "", ...treeLines(graph, tree, room, paint)];
  const table = fieldsTable(graph, room, paint);
  if (table.length > 0) lines.push("", ...table);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function heading(graph: GraphIR, room: number, paint: Paint): string {
  const count = graph.nodes.length === 1 ? "1 node" : `${graph.nodes.length} nodes`;
  const rest = `  ${count}  ${fit(graph.file, Math.floor(room / 2))}`;
  return paint("strong", fit(graph.name, room - columnsOf(rest))) + paint("quiet", rest);
}

interface Row {
  readonly line: TreeLine;
  readonly agent: string;
  readonly pieces: readonly Piece[];
}

function treeLines(graph: GraphIR, tree: Tree, room: number, paint: Paint): readonly string[] {
  const used = new Set<Mark>();
  const meets = new Map(graph.splits.map(({ node, meet }) => [node, meet]));
  const rowOf = (line: TreeLine): Row => {
    const references = tree.references(line);
    for (const { mark } of [line, ...references]) used.add(mark);
    const { agent } = graph.nodes[line.node] as NodeIR;
    return {
      line,
      agent: agent.written || agent.type,
      pieces: piecesOf(graph, line.by, meets.get(line.node) ?? END, references),
    };
  };
  const parts = tree.parts.map(({ isDead, lines }) => ({ isDead, rows: lines.map(rowOf) }));
  const rows = parts.flatMap((part) => part.rows);
  const draw = createRowDrawing(graph, measure(graph, rows, room), paint);
  const firstDead = parts.findIndex(({ isDead }) => isDead);
  const entry = fit(graph.nodes[0]?.name ?? "", room - 22);
  const deadTitle = paint("warning", `not reachable from ${entry}:`);
  const drawn = parts.flatMap(({ isDead, rows }, i) => {
    const gap = i === 0 || (isDead && i !== firstDead) ? [] : [""];
    return [...gap, ...(i === firstDead ? [deadTitle] : []), ...rows.flatMap(draw)];
  });
  return [...drawn, ...legend(used, room).map((line) => (line === "" ? "" : paint("quiet", line)))];
}

function legend(used: ReadonlySet<Mark>, room: number): readonly string[] {
  const texts = Object.entries(MARKS).flatMap(([mark, [, , text]]) =>
    used.has(mark as Mark) && text !== null ? [{ text, style: null }] : [],
  );
  const lines = flowPieces(texts, room).map((line) => line.map(({ text }) => text).join("  "));
  return lines.length === 0 ? [] : ["", ...lines];
}

/** The text after a node: its case, the result of its branches, and its edges to other lines. */
function piecesOf(
  graph: GraphIR,
  by: Edge | null,
  meet: Target,
  references: readonly Reference[],
): readonly Piece[] {
  const quiet: string[] = [];
  const condition = by === null ? null : conditionOf(graph, by);
  if (condition !== null) quiet.push(condition);
  if (meet !== END) quiet.push(`⇒ meets at ${nodeName(graph, meet)}`);
  const left = references.length - REFERENCES;
  return [
    ...quiet.map((text): Piece => ({ text, style: "quiet" })),
    ...references.slice(0, REFERENCES).map((reference) => referencePiece(graph, reference)),
    ...(left > 0 ? [{ text: `and ${left} more`, style: "quiet" } as const] : []),
  ];
}

function conditionOf(graph: GraphIR, { from, on, values }: Edge): string | null {
  if (on === "otherwise") return "otherwise";
  if (values.length > 0) {
    const shown = `if ${values.slice(0, 8).join(", ")}${values.length > 8 ? ", …" : ""}`;
    return on === "next" ? `or ${shown}` : shown;
  }
  if (on !== "limit") return null;
  const visits = graph.nodes[from]?.maxVisits ?? 0;
  return `after ${visits} ${visits === 1 ? "visit" : "visits"}`;
}

function referencePiece(graph: GraphIR, { mark, to, place, edge }: Reference): Piece {
  const [sign, style] = MARKS[mark];
  if (place === "silent end") return { text: `${sign} ends`, style: "quiet" };
  const condition = edge === null ? null : conditionOf(graph, edge);
  const name = place === "end" ? "END" : nodeName(graph, to);
  // An arrow up says enough for a plain next.
  const arrow = place === "above" ? (mark === "next" ? "↑" : `${sign} ↑`) : sign;
  return { text: condition === null ? `${arrow} ${name}` : `${arrow} ${name} ${condition}`, style };
}

/** The widths of the tree with its names, of the agents, and of what stands behind them. */
function measure(graph: GraphIR, rows: readonly Row[], room: number) {
  const most = (lengths: readonly number[]): number => lengths.reduce((a, b) => Math.max(a, b), 0);
  const agent = Math.min(most(rows.map((row) => columnsOf(row.agent))), Math.floor(room / 5));
  const pieces = most(rows.flatMap((row) => row.pieces.map(({ text }) => columnsOf(text))));
  const least = Math.min(pieces, Math.floor(room * 0.3));
  const names = rows.map(({ line }) => line.lead.length + 2 + columnsOf(nodeName(graph, line.node)));
  const name = Math.min(most(names), room - agent - least - 4);
  return { name, agent, pieces: room - name - agent - 4 };
}

type Widths = ReturnType<typeof measure>;

function createRowDrawing(graph: GraphIR, widths: Widths, paint: Paint): (row: Row) => readonly string[] {
  return ({ line, agent, pieces }) => {
    const [sign, style] = MARKS[line.mark];
    const room = widths.name - line.lead.length - 2;
    const name = pad(fit(nodeName(graph, line.node), room), room);
    const fitted = pieces.map((piece) => ({ ...piece, text: fit(piece.text, widths.pieces) }));
    const behind = flowPieces(fitted, widths.pieces).map((some) =>
      some.map((piece) => paintPiece(paint, piece)).join("  "),
    );
    const head = [
      paint("quiet", line.lead) + paintPiece(paint, { text: sign, style }) + " " + paint("strong", name),
      paint("quiet", pad(fit(agent, widths.agent), widths.agent)),
      behind[0] ?? "",
    ];
    const blank = " ".repeat(widths.name + widths.agent + 4 - line.rest.length);
    return [head.join("  "), ...behind.slice(1).map((more) => paint("quiet", line.rest) + blank + more)];
  };
}

const paintPiece = (paint: Paint, { text, style }: Piece): string =>
  style === null ? text : paint(style, text);
