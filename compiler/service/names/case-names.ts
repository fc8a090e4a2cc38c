import type { CaseCell, EntryCell, TestCase } from "../../1-parse/test-sheet.js";
import { firsts, nodesByName } from "../../2-analyze/by-name.js";
import { itemsOf } from "../../2-analyze/tests/case-report.js";
import { calledBy, type GraphOf, type Step, wayOf } from "../../2-analyze/tests/inside.js";
import type { GraphIR, JsonEntry, JsonSpot } from "../../ir.js";
import { isRunValue } from "../../types/run-values.js";
import type { View } from "../document.js";
import { cellTextAt } from "../spot.js";
import { nameInJson } from "./json-text.js";
import { fieldKey, graphKey, type Mention, type NameKey, nodeKey, PLAIN, type Role } from "./mention.js";
import { givesOneValue } from "./own-names.js";
import { graphsOf } from "./scene.js";

interface Case {
  readonly view: View;
  readonly graph: GraphIR;
  readonly graphOf: GraphOf;
}

/** Every name that a case of a test sheet holds. */
export function caseNames(view: View, one: TestCase): readonly Mention[] {
  const { only, graphNamed, graphOf } = testedOf(view);
  const cell = one.cells.get("graph_name");
  const graph = (cell === undefined ? only : graphNamed(cell.text)) ?? undefined;
  const own: Mention[] = [];
  if (cell !== undefined) {
    const what = graphKey(graph?.file ?? null, cell.text);
    own.push({ what, role: "names", at: spanOf(cell), writing: PLAIN });
  }
  if (graph === undefined) return own;
  const about: Case = { view, graph, graphOf };
  return [
    ...own,
    ...[...one.cells.values()].flatMap((each) => cellNames(about, each)),
    ...one.entries.flatMap((each) => partNames(about, each)),
  ];
}

/** The outputs that a stand-in in a column of its own gives; the node is named by the header. */
function partNames(about: Case, cell: EntryCell): readonly Mention[] {
  const { name, key, json } = cell;
  if (json === null || (name !== "mocks" && name !== "answers")) return [];
  const last = wayOf(key, about.graph, about.graphOf).steps.at(-1);
  return last === undefined ? [] : givenBy(json).flatMap((one) => outputNames(about, cell, last, one));
}

/** The fields and nodes that headers such as `given.amount` name, where all cases of the column are of one graph. */
export function caseHeaderNames(view: View): readonly Mention[] {
  const { tests } = view;
  if (tests === null) return [];
  const graphs = graphsOfColumns(view);
  return tests.header.entries.flatMap((column): readonly Mention[] => {
    const [graph = null, ...others] = graphs.get(column.keyAt.column) ?? [];
    if (graph === null || others.length > 0) return [];
    const about = { at: spanOf(column.keyAt), writing: PLAIN };
    const { name, key } = column;
    if (name === "given" || name === "expect_state") {
      if (isRunValue(key)) return [];
      const role = name === "given" ? "writes" : "reads";
      return [{ what: fieldKey(graph.file, graph.name, key), role, ...about }];
    }
    return nodesByName(graph).has(key)
      ? [{ what: nodeKey(graph.file, graph.name, key), role: "names", ...about }]
      : [];
  });
}

/** The graphs that the cells of each column of single entries are of; null is a graph that nobody knows. */
function graphsOfColumns(view: View): ReadonlyMap<number, ReadonlySet<GraphIR | null>> {
  const { only, graphNamed } = testedOf(view);
  const found = new Map<number, Set<GraphIR | null>>();
  for (const { cells, entries } of view.tests?.cases ?? []) {
    const cell = cells.get("graph_name");
    const graph = cell === undefined ? only : graphNamed(cell.text);
    for (const { column } of entries) {
      const graphs = found.get(column);
      if (graphs === undefined) found.set(column, new Set([graph]));
      else graphs.add(graph);
    }
  }
  return found;
}

interface TestedGraphs {
  /** The graph of a sheet that has one. */
  readonly only: GraphIR | null;
  readonly graphNamed: (name: string) => GraphIR | null;
  readonly graphOf: GraphOf;
}

const tested = new WeakMap<View, TestedGraphs>();

/** The graphs of the tested sheet, and those of others that they run; worked out once for each view. */
function testedOf(view: View): TestedGraphs {
  const known = tested.get(view) ?? createTested(view);
  tested.set(view, known);
  return known;
}

function createTested(view: View): TestedGraphs {
  const graphs = graphsOf(view);
  const byName = firsts(graphs, ({ name }) => name);
  const own = (name: string): GraphIR | null => byName.get(name) ?? null;
  const other = (name: string): GraphIR | null => view.world.world.otherGraph?.(name) ?? null;
  const [only = null] = graphs;
  return {
    only: graphs.length === 1 ? only : null,
    graphNamed: own,
    graphOf: (name, { file }) =>
      file === graphs[0]?.file ? (own(name) ?? other(name)) : (other(name) ?? own(name)),
  };
}

function cellNames(about: Case, cell: CaseCell): readonly Mention[] {
  switch (cell.name) {
    case "given":
      return stateNames(about, cell, "writes");
    case "expect_state":
      return stateNames(about, cell, "reads");
    case "expect_absent":
      return itemsOf(cell, /[|,;\r\n]/g).map(({ text, at }) => ({
        ...{ what: fieldKey(about.graph.file, about.graph.name, text), role: "reads" },
        ...{ at: spanOf(at), writing: PLAIN },
      }));
    case "expect_path":
      return pathNames(about, cell);
    case "expect_error":
      return (cell.json?.entries ?? []).flatMap(({ key, spot }) =>
        key === "node" ? nodeName(about, cell, spot) : [],
      );
    case "mocks":
    case "answers":
      return (cell.json?.entries ?? []).flatMap((entry) => standInNames(about, cell, entry));
    default:
      return [];
  }
}

function stateNames(about: Case, cell: CaseCell, role: Role): readonly Mention[] {
  const { file, name } = about.graph;
  return (cell.json?.entries ?? []).flatMap(({ key, ...token }) =>
    isRunValue(key)
      ? []
      : [inJson(about, cell, token, { what: fieldKey(file, name, key), role, value: key })],
  );
}

function pathNames(about: Case, cell: CaseCell): readonly Mention[] {
  if (cell.text.startsWith("["))
    return (cell.json?.items ?? []).flatMap((spot) => nodeName(about, cell, spot));
  const { file, name } = about.graph;
  return itemsOf(cell, />/g).flatMap(({ text, at }): readonly Mention[] =>
    text === "*"
      ? []
      : [{ what: nodeKey(file, name, text), role: "names", at: spanOf(at), writing: { kind: "path" } }],
  );
}

function nodeName(about: Case, cell: CaseCell, spot: JsonSpot): readonly Mention[] {
  const { value } = spot;
  if (typeof value !== "string" || value === "*") return [];
  const what = nodeKey(about.graph.file, about.graph.name, value);
  return [inJson(about, cell, spot, { what, role: "names", value })];
}

/** The nodes that a key such as `Call/Ask` or `Each[2]/Ask` names, and the outputs that what stands in for them gives. */
function standInNames(about: Case, cell: CaseCell, { key, spot, ...token }: JsonEntry): readonly Mention[] {
  const { steps } = wayOf(key, about.graph, about.graphOf);
  const last = steps.at(-1);
  const nodes = steps.map(({ graph, node, from }) =>
    inJson(about, cell, token, {
      ...{ what: nodeKey(graph.file, graph.name, node.name), role: "names", value: key, from },
    }),
  );
  if (last === undefined) return nodes;
  return [...nodes, ...givenBy(spot).flatMap((one) => outputNames(about, cell, last, one))];
}

/** The mappings that a stand-in gives, at whatever visit. */
function givenBy(spot: JsonSpot): readonly JsonSpot[] {
  const entry = (one: JsonSpot, key: string): JsonSpot | undefined =>
    one.entries?.find((each) => each.key === key)?.spot;
  const visits = spot.entries?.length === 1 ? entry(spot, "visits")?.items : undefined;
  return (visits ?? [spot]).flatMap((one) => {
    const isFail = entry(one, "fail") !== undefined || entry(one, "throw") !== undefined;
    const given = isFail
      ? entry(one, "writes")
      : one.entries?.length === 1
        ? entry(one, "return")
        : undefined;
    return isFail && given === undefined ? [] : [given ?? one];
  });
}

function outputNames(
  about: Case,
  cell: CaseCell,
  { graph, node }: Step,
  given: JsonSpot,
): readonly Mention[] {
  const called = calledBy(node);
  const inner = called === null ? null : about.graphOf(called, graph);
  const { entries = [] } = given;
  const outputs = firsts(entries.length === 0 ? [] : node.writes, (one) => one.key);
  return entries.flatMap(({ key, ...token }): readonly Mention[] => {
    const output = outputs.get(key);
    if (output === undefined) return [];
    if (called !== null) {
      const what = fieldKey(inner?.file ?? null, called, key);
      return [inJson(about, cell, token, { what, role: "writes", value: key })];
    }
    const what = fieldKey(graph.file, graph.name, output.field);
    const mention = inJson(about, cell, token, { what, role: "writes", value: key });
    const follows = key === output.field && givesOneValue(node, [key]);
    return [follows ? { ...mention, standsFor: node } : { ...mention, writing: { kind: "kept" } }];
  });
}

function inJson(
  { view }: Case,
  cell: CaseCell,
  token: { readonly start: number; readonly end: number },
  {
    what,
    role,
    value,
    from,
  }: { readonly what: NameKey; readonly role: Role; readonly value: string; readonly from?: number },
): Mention {
  const text = view.tests === null ? "" : cellTextAt(view.tests, cell.record, cell.column);
  const name = what.kind === "field" ? value : what.name;
  const found = nameInJson(text, token, { value, name, ...(from === undefined ? {} : { from }) });
  const at = { ...spanOf(cell), start: found.start, end: found.end };
  return { what, role, at, writing: found.writing };
}

const spanOf = ({ record, column, start, end }: Pick<CaseCell, "record" | "column" | "start" | "end">) => ({
  ...{ record, column, start, end },
});
