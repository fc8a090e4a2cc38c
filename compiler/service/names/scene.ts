import type { Analysis, KnownAgent } from "../../2-analyze/draft.js";
import { once } from "../../2-analyze/flow/once.js";
import { createGraphNames } from "../../2-analyze/graph-names.js";
import { agentsByName, createAgentFinder } from "../../2-analyze/nodes.js";
import { nameForeign } from "../../2-analyze/settings/foreign-settings.js";
import { nameSettings } from "../../2-analyze/settings/settings.js";
import { Problems } from "../../diagnostics/collect.js";
import type { CellSpan, GraphIR, NodeIR, Page, RecordSpan, Row, Sheet } from "../../ir.js";
import type { View } from "../document.js";
import { cellTextAt } from "../spot.js";
import { graphKey, type NameKey } from "./mention.js";

/** What is asked of a sheet again and again while its names are looked up. */
export interface SheetScene {
  readonly view: View;
  readonly sheet: Sheet;
  readonly agentOf: (row: Row) => KnownAgent;
  /** The row with its settings under the names that they mean. */
  readonly named: (row: Row) => Row;
  /** The first row of each graph. */
  readonly entries: ReadonlyMap<string, Row>;
  /** The node of a row as analysis understands it. */
  readonly nodeOf: (row: Row) => NodeIR | null;
  readonly hasNode: (graph: string, name: string) => boolean;
  /** The graph that a setting names. */
  readonly graphNamed: (name: string) => NameKey;
  readonly span: (at: CellSpan) => RecordSpan;
  readonly text: (at: RecordSpan) => string;
}

const scenes = new WeakMap<View, SheetScene>();

/** The scene of a view with a sheet; worked out once for each view. */
export function sceneOf(view: View): SheetScene | null {
  const { sheet } = view;
  if (sheet === null) return null;
  const known = scenes.get(view) ?? createScene(view, sheet);
  scenes.set(view, known);
  return known;
}

function createScene(view: View, sheet: Sheet): SheetScene {
  const analysis = analysisOf(view, sheet);
  const entries = new Map<string, Row>();
  const nodes = new Set<string>();
  for (const row of sheet.rows) {
    if (!entries.has(row.graph.name)) entries.set(row.graph.name, row);
    nodes.add(`${row.graph.name}\n${row.node.name}`);
  }
  const byRow = once(
    () => new Map(view.graphs.flatMap((graph) => graph.nodes.map((node) => [node.index, node] as const))),
  );
  return {
    view,
    sheet,
    agentOf: ({ agent }) => analysis.agentOf(agent.name),
    named(row) {
      if (row.settings.length === 0) return row;
      const { facts } = analysis.agentOf(row.agent.name);
      return nameForeign(analysis, nameSettings(row, facts), facts);
    },
    entries,
    nodeOf: (row) => byRow().get(row.index) ?? null,
    hasNode: (graph, name) => nodes.has(`${graph}\n${name}`),
    graphNamed: (name) => graphNamed(view, entries, name),
    span({ row, column, start, end }) {
      const record = row < 0 ? sheet.headerRecord : (sheet.rows[row]?.record ?? 0);
      return { record, column, start, end };
    },
    text: ({ record, column }) => cellTextAt(sheet, record, column),
  };
}

/** A graph of this sheet, or one of another sheet by its own name or as `sheet::Name`. */
function graphNamed(view: View, own: ReadonlyMap<string, unknown>, name: string): NameKey {
  if (own.has(name)) return graphKey(view.file, name);
  const found = view.world.world.otherGraph?.(name) ?? null;
  if (found !== null) return graphKey(found.file, found.name);
  return graphKey(null, name.slice(name.lastIndexOf("::") + 1).replace(/^:/, ""));
}

/** The words of other tools are understood as analysis does it. What it reports has been told. */
function analysisOf({ file, world: { world } }: View, sheet: Sheet): Analysis {
  const agents = agentsByName(world.agents);
  return {
    ...{ sheet, world, problems: new Problems(file), agents, agentOf: createAgentFinder(agents, world) },
    graphNames: new Set(),
    unknownColumns: new Set(),
    graphsNamed: () => createGraphNames([], null),
    graphOf: () => null,
    everyRow: () => false,
    graphMayFail: () => false,
  };
}

/** The graphs that a view can say something of: its own, or those of the sheet that it tests. */
export const graphsOf = ({ kind, graphs, world }: View): readonly GraphIR[] =>
  kind === "tests" ? (world.testedGraphs ?? []) : graphs;

export const pageOf = ({ sheet, tests }: View): Page | null => sheet ?? tests;
