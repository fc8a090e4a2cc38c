import { fragmentOf, LIST, type Place, placeOf } from "./address.js";
import { chosen, graph, opened, place, problemList } from "./state.js";

/** Chooses a cell; its node and graph are chosen with it. */
export function chooseCell(record: number, column: number): void {
  chosen.value = { record, column };
  const row = opened.value?.rows.find((one) => one.record === record);
  if (row === undefined || row.node === null || row.graph === null) return;
  if (place.value.screen === "sheets") replacePlace({ ...place.value, graph: row.graph, node: row.node });
}

/** Chooses a node by its row. */
export function chooseNode(record: number): void {
  const column = opened.value?.columns.find(({ isNode }) => isNode)?.index ?? 0;
  chooseCell(record, column);
}

export function chooseGraph(name: string): void {
  goTo({ ...place.value, graph: name, node: null });
}

/** The next problem, or the one before; round at the end. */
export function chooseProblem(step: 1 | -1): void {
  const list = problemList.value.filter(({ span }) => span !== null);
  const at = list.findIndex(
    ({ span }) => span?.record === chosen.value?.record && span?.column === chosen.value?.column,
  );
  const from = at < 0 && step < 0 ? 0 : at;
  const span = list[(from + step + list.length) % list.length]?.span ?? null;
  if (span !== null) chooseCell(span.record, span.column);
}

/** Goes to another place; back leads here again. */
export function goTo(next: Place): void {
  history.pushState(null, "", fragmentOf(next));
  arrive(next);
}

/** After back, forward, or an address that was typed. */
export const arriveAtAddress = (): void => arrive(placeOf(location.hash));

/** The first place of all: back does not lead to the one before it. */
export function beginAt(sheet: string | null): void {
  const next = sheet === null ? placeOf(location.hash) : { ...LIST, sheet };
  replacePlace(next);
}

/** Goes to another place; back leads to the one before this one. */
export function replacePlace(next: Place): void {
  history.replaceState(null, "", fragmentOf(next));
  place.value = next;
}

function arrive(next: Place): void {
  place.value = next;
  if (next.sheet !== null) chooseByPlace();
}

/** Chooses the cell that the address names, or the first one of the graph. */
export function chooseByPlace(): void {
  // The screen of runs chooses the node of a step.
  if (place.value.screen !== "sheets") return;
  const nodes = graph.value?.nodes ?? [];
  const node = nodes.find(({ name }) => name === place.value.node) ?? nodes[0];
  const column = opened.value?.columns.find(({ isNode }) => isNode)?.index ?? 0;
  const record = node?.record ?? opened.value?.rows[0]?.record;
  chosen.value = record === undefined ? null : { record, column };
}
