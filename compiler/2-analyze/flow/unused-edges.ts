import { editCell } from "../../1-parse/text/edit-cell.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { END, type NameItem } from "../../ir.js";
import { type Draft, type DraftNode, type Routes, reportAt, wholeCell } from "../draft.js";
import { isRecord } from "../settings/settings.js";
import { reachableFrom } from "./digraph.js";
import type { Ways } from "./edges.js";

/** A cell of targets that no outcome leads to. */
interface UnusedEdge {
  readonly node: DraftNode;
  readonly column: "next_node" | "next_on_success";
  readonly items: readonly NameItem[];
  readonly why: string;
}

const CHOICE = {
  column: "next_on_failure",
  why: "every answer to a choice or a text is a success",
  cure: 'set "interaction" to "approval": then the first option approves, and the others go here',
} as const;

/** Warns of targets that no outcome leads to. Linear. */
export function checkUnusedEdges(draft: Draft, routes: readonly Routes[], ways: Ways): void {
  for (const node of draft.nodes) {
    const [failure] = node.row.onFailure;
    if (failure === undefined || !isChosen(node)) continue;
    const span = wholeCell(node.row.onFailure, node.row.node.at);
    reportAt(draft, node, "unused-edge", CHOICE, { span, column: CHOICE.column });
  }
  const unused = draft.nodes.flatMap(unusedOf);
  if (unused.length === 0) return;
  const isIdle = createIdleness(draft, routes, ways);
  for (const edge of unused) {
    const { node, column, why } = edge;
    const span = wholeCell(edge.items, node.row.node.at);
    const edits = [editCell(draft.analysis.sheet, span, "")];
    const fix: Fix = { title: `empty ${column}`, safe: isIdle(edge), edits };
    reportAt(draft, node, "unused-edge", { column, why, cure: null }, { span, column, fix });
  }
}

/** True for a question whose answers all are a success, and which nothing ends but an answer. */
function isChosen({ facts, settings, row }: DraftNode): boolean {
  const isLimited = row.settings.some(({ name }) => name === "timeout_ms");
  if (facts?.type !== "human" || isLimited || isRecord(settings["assignee"])) return false;
  const { interaction, options } = settings;
  return interaction === undefined
    ? Array.isArray(options)
    : interaction === "choice" || interaction === "text";
}

function unusedOf(node: DraftNode): readonly UnusedEdge[] {
  const { row, facts } = node;
  if (row.onSuccess.length === 0) return [];
  const unused: UnusedEdge[] = [];
  if (row.next.length > 0 && row.onFailure.length > 0) {
    const why = "next_on_success and next_on_failure take every outcome";
    unused.push({ node, column: "next_node", items: row.next, why });
  }
  if (facts?.outcome === "fails") {
    const why = `agent "${facts.type}" always fails`;
    unused.push({ node, column: "next_on_success", items: row.onSuccess, why });
  }
  return unused;
}

/**
 * True when the graph is the same without an unused edge. Either its node leads there on success anyway. Or a run
 * comes to its targets by other edges, and the graph has no split: its branches would meet by all edges as written.
 */
function createIdleness(
  draft: Draft,
  routes: readonly Routes[],
  { taken }: Ways,
): (edge: UnusedEdge) => boolean {
  const splits = draft.nodes.some(({ facts, index }) => {
    const { next, success, failure } = routes[index] as Routes;
    return facts?.chooses !== true && [next, success, failure].some((list) => list.length > 1);
  });
  const reachable = reachableFrom(taken, [0]);
  return ({ node, column }) => {
    const { next, success } = routes[node.index] as Routes;
    if (column === "next_node" && next.every((to) => success.includes(to))) return true;
    const targets = column === "next_node" ? next : success;
    return !draft.incomplete && !splits && targets.every((to) => to === END || reachable[to] === 1);
  };
}
