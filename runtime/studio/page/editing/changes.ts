import type { SheetRecords } from "../../edits/records.js";
import type { GraphOfSheet, Problem, TableRow } from "../engine/messages.js";

/** A cell's key in a set. */
export const cellKey = (record: number, column: number): string => `${record} ${column}`;

/** The cells that are not what they were, by the names of their rows. */
export function changedCells(before: SheetRecords, after: SheetRecords): ReadonlySet<string> {
  const found = new Set<string>();
  for (let record = after.headerRecord + 1; record < after.count; record++) {
    const name = after.nameOf(record);
    const old = name === null ? null : before.find(name);
    const was = old === null ? [] : before.cells(old);
    for (const [column, cell] of after.cells(record).entries())
      if (cell !== (was[column] ?? "")) found.add(cellKey(record, column));
  }
  return found;
}

interface Known {
  readonly graphs: readonly GraphOfSheet[];
  readonly problems: readonly Problem[];
}

/** What was known of the rows before, at the places where they are now; the compiler tells the rest soon. */
export function moved(known: Known, before: readonly TableRow[], after: readonly TableRow[]): Known {
  const by = after.length - before.length;
  if (by === 0) return known;
  const first = before.findIndex(({ cells }, i) => cells !== after[i]?.cells);
  const at = before[first]?.record ?? Number.POSITIVE_INFINITY;
  const to = (record: number): number => (record < at ? record : record + by);
  const isThere = (record: number): boolean => record < at || record >= at - Math.min(0, by);
  return {
    graphs: known.graphs.map((graph) => ({
      ...graph,
      nodes: graph.nodes.map((node) => ({ ...node, record: to(node.record) })),
    })),
    problems: known.problems.flatMap((problem): readonly Problem[] => {
      const { span } = problem;
      if (span === null) return [problem];
      return isThere(span.record) ? [{ ...problem, span: { ...span, record: to(span.record) } }] : [];
    }),
  };
}
