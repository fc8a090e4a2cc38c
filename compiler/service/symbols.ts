import type { Range } from "../ir.js";
import type { View } from "./document.js";
import { sceneOf } from "./names/scene.js";
import { rangeOf, rangeOfRecord } from "./spot.js";

/** A graph with its nodes, or a case of a test sheet, for outlines and searches. */
export interface SheetSymbol {
  readonly name: string;
  readonly kind: "graph" | "node" | "case";
  /** A node's agent; of a graph, how many nodes it has. */
  readonly detail: string;
  /** All of it: the rows of a graph from the first to the last. */
  readonly range: Range;
  /** Its name. */
  readonly selection: Range;
  readonly children: readonly SheetSymbol[];
}

/** The graphs of a sheet, each with its nodes; the cases of a test sheet. In the order of the file. */
export function documentSymbols(view: View): readonly SheetSymbol[] {
  return view.kind === "tests" ? caseSymbols(view) : graphSymbols(view);
}

function graphSymbols(view: View): readonly SheetSymbol[] {
  const scene = sceneOf(view);
  if (scene === null) return [];
  const { sheet } = scene;
  const graphs = new Map<string, { readonly selection: Range; readonly nodes: SheetSymbol[] }>();
  for (const row of sheet.rows) {
    const known = graphs.get(row.graph.name);
    const graph = known ?? { selection: rangeOf(sheet, scene.span(row.graph.at)), nodes: [] };
    if (known === undefined) graphs.set(row.graph.name, graph);
    graph.nodes.push({
      ...{
        name: row.node.name || "(no name)",
        kind: "node",
        detail: row.agent.name || "default",
        children: [],
      },
      range: rangeOfRecord(sheet, row.record),
      selection: rangeOf(sheet, scene.span(row.node.at)),
    });
  }
  return [...graphs].map(([name, { selection, nodes }]) => ({
    ...{ name: name || "(no name)", kind: "graph", selection, children: nodes },
    detail: nodes.length === 1 ? "1 node" : `${nodes.length} nodes`,
    range: { start: nodes[0]?.range.start ?? 0, end: nodes.at(-1)?.range.end ?? 0 },
  }));
}

function caseSymbols({ tests }: View): readonly SheetSymbol[] {
  return (tests?.cases ?? []).map(({ record, cells }) => {
    const page = tests as NonNullable<typeof tests>;
    const named = cells.get("case");
    const range = rangeOfRecord(page, record);
    return {
      ...{
        name: named?.text ?? "(no name)",
        kind: "case",
        detail: cells.get("graph_name")?.text ?? "",
        range,
      },
      selection: named === undefined ? { start: range.start, end: range.start } : rangeOf(page, named),
      children: [],
    };
  });
}

/** A symbol and the file that it stands in. */
export interface FoundSymbol extends Omit<SheetSymbol, "children"> {
  readonly file: string;
  /** The graph of a node. */
  readonly container: string | null;
}

/** The graphs, nodes and cases of all views whose names hold the letters of the query in their order. */
export function workspaceSymbols(views: readonly View[], query: string): readonly FoundSymbol[] {
  return views.flatMap((view) => {
    const all = documentSymbols(view).flatMap(({ children, ...symbol }) => [
      { ...symbol, file: view.file, container: null },
      ...children.map(({ children: _, ...child }) => ({ ...child, file: view.file, container: symbol.name })),
    ]);
    return all.filter(({ name }) => holdsLetters(name.toLowerCase(), query.toLowerCase()));
  });
}

function holdsLetters(name: string, query: string): boolean {
  let at = 0;
  for (const letter of query) {
    at = name.indexOf(letter, at);
    if (at < 0) return false;
    at += letter.length;
  }
  return true;
}
