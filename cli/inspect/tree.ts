import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { createPaint, type Paint, type Style } from "../../compiler/diagnostics/paint.js";
import { END, type GraphIR, type NodeIR } from "../../compiler/ir.js";
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

const MARKS: {
  readonly [M in Mark]: {
    readonly sign: string;
    readonly style: Style | null;
    readonly legend: string | null;
  };
} = {
  entry: { sign: "●", style: "strong", legend: null },
  next: { sign: "→", style: null, legend: "→ next" },
  success: { sign: "✓", style: "help", legend: "✓ on success" },
  failure: { sign: "✗", style: "error", legend: "✗ on failure" },
  limit: { sign: "!", style: "warning", legend: "! after the last visit" },
  split: { sign: "⇒", style: null, legend: "⇒ at the same time" },
  choice: { sign: "?", style: null, legend: "? one is chosen" },
  join: { sign: "◆", style: null, legend: "◆ ways meet" },
  below: { sign: "↓", style: null, legend: "↓ shown below" },
  dead: { sign: "○", style: "warning", legend: null },
};

/** A graph as a tree for a terminal, and a table of its fields. */
export function drawTree(graph: GraphIR, { width = 80, color = false }: TreeOptions = {}): string {
  const paint = createPaint(color);
  const room = Math.max(40, width);
  const tree = shapeTree(graph, Math.floor(room / 8));
  const lines = [heading(graph, { room, paint }), "", ...treeLines(graph, tree, { room, paint })];
  const table = fieldsTable(graph, { width: room, paint });
  return `${[...lines, ...(table.length > 0 ? ["", ...table] : [])].map((line) => line.trimEnd()).join("\n")}\n`;
}

interface Look {
  readonly room: number;
  readonly paint: Paint;
}

function heading(graph: GraphIR, { room, paint }: Look): string {
  const count = graph.nodes.length === 1 ? "1 node" : `${graph.nodes.length} nodes`;
  const rest = `  ${count}  ${fit(graph.file, Math.floor(room / 2))}`;
  return paint("strong", fit(graph.name, room - columnsOf(rest))) + paint("quiet", rest);
}

interface Row {
  readonly line: TreeLine;
  readonly agent: string;
  readonly pieces: readonly Piece[];
}

function treeLines(graph: GraphIR, tree: Tree, look: Look): readonly string[] {
  const describe = createPieces(graph);
  const used = new Set<Mark>();
  const parts = tree.parts.map(({ kind, lines }) => ({
    kind,
    rows: lines.map((line): Row => {
      const references = tree.references(line);
      for (const { mark } of [line, ...references]) used.add(mark);
      return { line, agent: agentName(graph.nodes[line.node] as NodeIR), pieces: describe(line, references) };
    }),
  }));
  const rows = parts.flatMap((part) => part.rows);
  const draw = createRowDrawing(graph, measure(graph, rows, look.room), look.paint);
  const firstDead = parts.findIndex(({ kind }) => kind === "dead");
  const drawn = parts.flatMap(({ kind, rows }, i) => {
    const title = i === firstDead ? [deadTitle(graph, look)] : [];
    const gap = i === 0 || (kind === "dead" && i !== firstDead) ? [] : [""];
    return [...gap, ...title, ...rows.flatMap(draw)];
  });
  return [...drawn, ...legend(used, look)];
}

function deadTitle(graph: GraphIR, { room, paint }: Look): string {
  const entry = fit(graph.nodes[0]?.name ?? "", room - 22);
  return paint("warning", `not reachable from ${entry}:`);
}

function legend(used: ReadonlySet<Mark>, { room, paint }: Look): readonly string[] {
  const texts = Object.entries(MARKS).flatMap(([mark, { legend: text }]) => {
    return used.has(mark as Mark) && text !== null ? [{ text, style: null }] : [];
  });
  const lines = flowPieces(texts, room).map((line) => line.map(({ text }) => text).join("  "));
  return lines.length === 0 ? [] : ["", ...lines.map((line) => paint("quiet", line))];
}

const agentName = ({ agent }: NodeIR): string => agent.written || agent.type;

/** The text after a node: its case, the result of its branches, and its edges to other lines. */
function createPieces(
  graph: GraphIR,
): (line: TreeLine, references: readonly Reference[]) => readonly Piece[] {
  const splits = new Map(graph.splits.map((split) => [split.node, split]));
  return (line, references) => {
    const { by, node } = line;
    const pieces: Piece[] = [];
    const condition = by === null ? null : conditionOf(graph, by);
    if (condition !== null) pieces.push({ text: condition, style: "quiet" });
    const split = splits.get(node);
    if (split !== undefined && split.meet !== END) {
      pieces.push({ text: `⇒ meets at ${nodeName(graph, split.meet)}`, style: "quiet" });
    }
    for (const reference of references.slice(0, REFERENCES)) pieces.push(referencePiece(graph, reference));
    const left = references.length - REFERENCES;
    if (left > 0) pieces.push({ text: `and ${left} more`, style: "quiet" });
    return pieces;
  };
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
  const { sign, style } = MARKS[mark];
  if (place === "silent end") return { text: `${sign} ends`, style: "quiet" };
  const condition = edge === null ? null : conditionOf(graph, edge);
  const name = place === "end" ? "END" : nodeName(graph, to);
  // An arrow up says enough for a plain next.
  const arrow = place === "above" ? (mark === "next" ? "↑" : `${sign} ↑`) : sign;
  return { text: condition === null ? `${arrow} ${name}` : `${arrow} ${name} ${condition}`, style };
}

interface Widths {
  /** Of the tree with its names, of the agents, and of what stands behind them. */
  readonly name: number;
  readonly agent: number;
  readonly pieces: number;
}

function measure(graph: GraphIR, rows: readonly Row[], room: number): Widths {
  let name = 0;
  let agent = 0;
  let pieces = 0;
  for (const row of rows) {
    name = Math.max(name, row.line.lead.length + 2 + columnsOf(nodeName(graph, row.line.node)));
    agent = Math.max(agent, columnsOf(row.agent));
    for (const piece of row.pieces) pieces = Math.max(pieces, columnsOf(piece.text));
  }
  agent = Math.min(agent, Math.floor(room / 5));
  const least = Math.min(pieces, Math.floor(room * 0.3));
  name = Math.min(name, room - agent - least - 4);
  return { name, agent, pieces: room - name - agent - 4 };
}

function createRowDrawing(graph: GraphIR, widths: Widths, paint: Paint): (row: Row) => readonly string[] {
  return ({ line, agent, pieces }) => {
    const { sign, style } = MARKS[line.mark];
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
