import { firsts } from "../2-analyze/by-name.js";
import type { CellSpan, GraphIR, NodeIR, Range, Row, Sheet } from "../ir.js";
import { formatType } from "../types/format-type.js";
import type { View } from "./document.js";
import { cellTextAt, rangeOf, recordAt, rowFrom } from "./spot.js";

/** A word that an editor shows in the text, and that the text does not have. */
export interface Hint {
  /** It stands before the character at this offset. */
  readonly offset: number;
  readonly kind: "type" | "unset";
  readonly label: string;
  readonly tooltip: string;
}

/** The types of outputs that say none, and `?` behind inputs that may be unset, in the records that a range touches. */
export function hints(view: View, range: Range): readonly Hint[] {
  const { sheet } = view;
  if (sheet === null) return [];
  const last = recordAt(sheet, range.end);
  const graphs = firsts(view.graphs, ({ name }) => name);
  const nodes = new Map<string, ReadonlyMap<number, NodeIR>>();
  const found: Hint[] = [];
  for (let i = rowFrom(sheet.rows, recordAt(sheet, range.start)); i < sheet.rows.length; i++) {
    const row = sheet.rows[i] as Row;
    if (row.record > last) break;
    if (row.long !== null || row.damaged) continue;
    const known = nodes.get(row.graph.name) ?? nodesOf(graphs.get(row.graph.name));
    nodes.set(row.graph.name, known);
    const node = known.get(row.index);
    for (const hint of node === undefined ? [] : rowHints(sheet, row, node)) found.push(hint);
  }
  return found
    .filter(({ offset }) => offset >= range.start && offset <= range.end)
    .sort((a, b) => a.offset - b.offset);
}

const nodesOf = (graph: GraphIR | undefined): ReadonlyMap<number, NodeIR> =>
  new Map((graph?.nodes ?? []).map((node) => [node.index, node]));

function rowHints(sheet: Sheet, row: Row, node: NodeIR): readonly Hint[] {
  const writes = firsts(node.writes, ({ field, key }) => JSON.stringify([field, key]));
  const reads = firsts(node.reads, (read) => read.param);
  const types = row.outputs.flatMap(({ type, field, key, at }): readonly Hint[] => {
    const known = writes.get(JSON.stringify([field, key]))?.type ?? null;
    if (type !== null || known === null) return [];
    const offset = offsetIn(sheet, row, at, at.end);
    return [{ offset, kind: "type", label: `: ${formatType(known)}`, tooltip: `the type of ${field}` }];
  });
  const marks = row.inputs.flatMap(({ param, field, optional, type, at }): readonly Hint[] => {
    const read = reads.get(param);
    if (read === undefined || read.isSet || optional) return [];
    const end = type === null ? at.end : at.start + headLength(sheet, row, at);
    const tooltip = `${field} may be unset here`;
    return [{ offset: offsetIn(sheet, row, at, end), kind: "unset", label: "?", tooltip }];
  });
  return [...types, ...marks];
}

/** The length of an item before its type. */
function headLength(sheet: Sheet, { record }: Row, { column, start, end }: CellSpan): number {
  const text = cellTextAt(sheet, record, column).slice(start, end);
  const colon = text.indexOf(":");
  return colon < 0 ? text.length : text.slice(0, colon).trimEnd().length;
}

const offsetIn = (sheet: Sheet, { record }: Row, { column }: CellSpan, offset: number): number =>
  rangeOf(sheet, { record, column, start: offset, end: offset }).start;
