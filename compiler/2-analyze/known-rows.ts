import type { Sheet } from "../ir.js";

/** What is known of the rows of a sheet without reading them again. */
export interface KnownRows {
  readonly of: {
    /** The name of each row's graph: the same list, as long as no row's changes. */
    readonly graphs: readonly string[];
    /** Rows with more cells than columns. */
    readonly long: ReadonlySet<number>;
  };
  /** The graphs with other rows than before. */
  readonly touched: ReadonlySet<string>;
}

export function allRows({ rows }: Sheet): KnownRows {
  const graphs = rows.map(({ graph }) => graph.name);
  const long = new Set(rows.flatMap(({ long: cells, index }) => (cells === null ? [] : [index])));
  return { of: { graphs, long }, touched: new Set(graphs) };
}

/** All names in the same order: a suggestion is the first that is near. */
export function isSameOrder(names: Iterable<string>, before: ReadonlySet<string>): boolean {
  const now = [...names];
  if (now.length !== before.size) return false;
  let at = 0;
  for (const name of before) if (now[at++] !== name) return false;
  return true;
}
