import {
  fieldNameFault,
  graphNameFault,
  isReserved,
  type NameFault,
  nodeNameFault,
} from "../../1-parse/cells/name-rules.js";
import { cellName } from "../../1-parse/text/places.js";
import { spreadsheetError } from "../../1-parse/text/spreadsheet-errors.js";
import type { NodeIR, Range } from "../../ir.js";
import type { View } from "../document.js";
import type { Mention, NameKey } from "../names/mention.js";
import { graphsOf, pageOf, sceneOf } from "../names/scene.js";
import { mentionsOf } from "../names.js";
import { rangeOf } from "../spot.js";

/** Why a name stays as it is, and the row that stands in the way. */
export interface Refusal {
  readonly kind: "refused";
  readonly why: string;
  readonly file: string | null;
  /** As a spreadsheet counts it. */
  readonly row: number | null;
  readonly cell: string | null;
  readonly range: Range | null;
}

export const refusal = (why: string): Refusal => ({
  ...{ kind: "refused", why, file: null, row: null, cell: null, range: null },
});

/** A refusal that shows the place in the way. */
export function refusalAt(view: View, { at }: Pick<Mention, "at">, why: (row: string) => string): Refusal {
  const page = pageOf(view);
  return {
    kind: "refused",
    why: why(`row ${at.record + 1} of ${view.file}`),
    file: view.file,
    row: at.record + 1,
    cell: cellName(at.column, at.record),
    range: page === null ? null : rangeOf(page, at),
  };
}

const quoted = (name: string): string => JSON.stringify(name);

/** Why a text can be no name of a kind; null when it can. */
export function faultOfName({ kind }: NameKey, name: string): Refusal | null {
  if (name === "") return refusal("a name cannot be empty");
  if (spreadsheetError(name) !== null) return refusal(`${quoted(name)} is an error of a spreadsheet`);
  const fault = kind === "node" || kind === "graph" ? namedFault(kind, name) : fieldFault(name);
  return fault === null ? null : refusal(fault);
}

function namedFault(kind: "node" | "graph", name: string): string | null {
  const fault: NameFault | null = kind === "node" ? nodeNameFault(name) : graphNameFault(name);
  const isTaken = kind === "node" && (name === "END" || name === "*");
  if (isTaken || fault?.kind === "reserved") return `${quoted(name)} is a reserved name`;
  return fault === null ? null : `the name ${fault.why}`;
}

function fieldFault(name: string): string | null {
  if (isReserved(name)) return `${quoted(name)} is a reserved name`;
  if (name === "error") return `${quoted(name)} is set by the run itself`;
  const fault = fieldNameFault(name);
  return fault === null ? null : fault.replace("its name", "the name");
}

/** Why a thing cannot lose its name; null when it can. */
export function faultOfOld(views: readonly View[], { kind, name, file, graph }: NameKey): Refusal | null {
  if (kind !== "field" || file === null) return null;
  if (name === "error") return refusal('"error" is set by the run itself');
  const owner = views.find((view) => view.kind === "sheet" && view.file === file);
  const collecting = owner?.graphs
    .find((one) => one.name === graph)
    ?.nodes.find((node) => collects(owner, node));
  if (name !== "errors" || owner === undefined || collecting === undefined) return null;
  const at = { record: collecting.row - 1, column: 0, start: 0, end: 0 };
  return refusalAt(owner, { at }, (row) => `"errors" is where the loop in ${row} collects its errors`);
}

/** It writes `errors` without an output that says so. */
const collects = ({ sheet }: View, { index, writes }: NodeIR): boolean =>
  writes.some(({ field, key }) => field === "errors" && key === "errors") &&
  sheet?.rows[index]?.outputs.some(({ field }) => field === "errors") === false;

/** Where a name is taken already; null when it is free. */
export function takenBy(views: readonly View[], from: NameKey, to: string): Refusal | null {
  const wanted: NameKey = { ...from, name: to, ...(from.kind === "graph" ? { graph: to } : {}) };
  const taken = nameIn(views, wanted);
  if (taken !== null) {
    const why = isOwner(taken.mention) ? "has it" : "names it already";
    return refusalAt(taken.view, taken.mention, (row) => `${quoted(to)} is taken: ${row} ${why}`);
  }
  const owner = views.find((view) => view.kind === "sheet" && view.file === from.file);
  if (from.kind === "graph") return takenGraph(views, to);
  if (from.kind === "param" && owner !== undefined) return takenInput(owner, from, to);
  const graph = views.flatMap(graphsOf).find(({ name, file }) => name === from.graph && file === from.file);
  const isSet = from.kind === "field" && graph?.fields.some(({ name }) => name === to) === true;
  return isSet ? refusal(`${quoted(to)} is taken: the run itself sets it`) : null;
}

const isOwner = ({ role }: Mention): boolean => role === "declares" || role === "writes";

/** The place that a name belongs to, or else the first one that has it. */
function nameIn(views: readonly View[], name: NameKey) {
  let first: { readonly view: View; readonly mention: Mention } | null = null;
  for (const view of views)
    for (const mention of mentionsOf(view, name)) {
      first ??= { view, mention };
      if (isOwner(mention)) return { view, mention };
    }
  return first;
}

/** A graph of another sheet would be called in the place of this one, or this one in its place. */
function takenGraph(views: readonly View[], to: string): Refusal | null {
  for (const view of views) {
    const row = sceneOf(view)?.entries.get(to);
    const at = row === undefined ? undefined : { ...row.graph.at, record: row.record };
    if (at !== undefined)
      return refusalAt(view, { at }, (where) => `${quoted(to)} is taken: ${where} has it`);
    const others = [...(view.world.world.otherGraphs ?? [])];
    if (others.some((name) => name === to || name.endsWith(`::${to}`)))
      return refusal(`${quoted(to)} is taken: another sheet has a graph of that name`);
  }
  return null;
}

/** Placeholders and settings would mean another input. */
function takenInput(view: View, { name, graph, node }: NameKey, to: string): Refusal | null {
  const row = view.sheet?.rows.find((one) => one.graph.name === graph && one.node.name === node);
  const other = row?.inputs.find(
    ({ param, field }) => param !== name && (param === to || (field === to && param !== to)),
  );
  if (row === undefined || other === undefined) return null;
  const at = { ...other.at, record: row.record };
  return refusalAt(view, { at }, (where) => `${quoted(to)} is taken: ${where} has it`);
}

/** In tests `Call/Ask` is the node `Ask` inside the node `Call`: no node may be called so beside it. */
export function clashOfPaths(views: readonly View[], from: NameKey, to: string): Refusal | null {
  if (from.kind !== "node") return null;
  const owner = views.find((view) => view.kind === "sheet" && view.file === from.file);
  const nodes = owner?.graphs.find(({ name }) => name === from.graph)?.nodes ?? [];
  const named = nodes.map((node) => (node.name === from.name ? { ...node, name: to } : node));
  const renamed = named.filter(({ name }) => name === to).slice(0, 1);
  const callers = named.filter(({ agent }) => agent.builtin && agent.type === "graph");
  for (const caller of new Set(callers.map(({ name }) => name))) {
    const isInside = ({ name }: NodeIR): boolean =>
      name !== caller && (name.startsWith(`${caller}/`) || name.startsWith(`${caller}[`));
    // Of other pairs each name was there before.
    const inside = caller === to ? named.find(isInside) : renamed.find(isInside);
    if (inside === undefined || owner === undefined) continue;
    const at = { record: inside.row - 1, column: 0, start: 0, end: 0 };
    const why = `in tests ${quoted(inside.name)} would mean a node inside ${quoted(caller)}`;
    return refusalAt(owner, { at }, (row) => `${why} (${row})`);
  }
  return null;
}
