import { searchWords } from "../../runs/search-words.js";
import {
  addCounts,
  behind,
  COUNT_TO,
  type Dialect,
  findsFew,
  ofSet,
  ordered,
  PAGE,
  type Part,
  pageOf,
  partsOf,
  STATUSES,
  sorted,
  sumOf,
  type Term,
  term,
  termsOf,
  valuesOf,
  where,
} from "../list-query.js";
import { type Row, RUN } from "../read-rows.js";
import type { RunStatus } from "../rows.js";
import type { DurableStore, RowPage, RowQuery } from "../store.js";
import type { Database } from "./database.js";

/** Each combination of a graph and a status is one look into an index that is in the order of the list. */
const MOST_LOOKS = 100;

export const lists = (reader: Database): Pick<DurableStore, "list" | "counts"> => ({
  list: async (query) => page(reader, query),
  counts: async ({ status: _, ...query }) => {
    const counts: { [S in RunStatus]?: number } = {};
    for (const part of partsOf(query, dialect)) addCounts(countsOf(reader, part), counts);
    return counts;
  },
});

const isOneOf = (what: string, values: readonly string[]): Term =>
  term(`${what} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

const OPEN_WAITS = "SELECT run_id FROM waits WHERE ending IS NULL";
/** Places in the settings of a wait. */
const ASKED = { now: ["$.assignees"], ever: ["$.assignees", "$.escalate.assignees"] };

const dialect: Dialect = {
  isOneOf,
  isUnder: (folders) =>
    term(
      `EXISTS (SELECT 1 FROM json_each(?) AS one WHERE substr(sheet, 1, length(one.value)) = one.value)`,
      JSON.stringify(folders),
    ),
  /** The quotes take the meaning from all signs. */
  searched: (q) => {
    const words = searchWords(q);
    if (words.length === 0) return q.trim() === "" ? term("1") : term("0");
    const match = words.map((word) => `"${word}"*`).join(" ");
    return term("n IN (SELECT rowid FROM run_words WHERE run_words MATCH ?)", match);
  },
  waits: term(`run_id IN (${OPEN_WAITS})`),
  asks: (names, when) => {
    const asking = ASKED[when].map(
      (place) => `SELECT waits.run_id FROM waits, json_each(about, '${place}') AS one
         WHERE ending IS NULL AND one.value IN (SELECT value FROM json_each(?))`,
    );
    return term(`run_id IN (${asking.join(" UNION ")})`, ...asking.map(() => JSON.stringify(names)));
  },
};

function page(reader: Database, query: RowQuery): RowPage {
  const { limit = PAGE, cursor, order } = query;
  const after = cursor === undefined ? [] : [behind(cursor, order)];
  const parts = partsOf(query, dialect);
  // One more tells whether there is a next page.
  const rows = parts.flatMap((part) =>
    looks(part).flatMap((look) => {
      const terms = [...look, ...termsOf(part, dialect), ...after];
      return reader.all(
        `SELECT ${RUN}, n FROM runs${where(terms)} ${ordered(order)}`,
        ...[...valuesOf(terms), limit + 1],
      );
    }),
  );
  return pageOf(sorted(rows, order), limit, sumOf(parts.flatMap((part) => totalOf(reader, part))));
}

/** The looks whose results together are the answer. One look at several statuses would sort all that it finds. */
function looks(query: Part): readonly (readonly Term[])[] {
  const { status = STATUSES, graphs, userId } = query;
  if (findsFew(query)) return [ofSet(query, dialect)];
  const each = status.map((one) => term("status = ?", one));
  if (graphs === undefined) return each.map((one) => [one]);
  if (userId !== undefined || graphs.length * status.length > MOST_LOOKS)
    return each.map((one) => [one, isOneOf("+graph", graphs)]);
  return graphs.flatMap((graph) => each.map((one) => [term("graph = ?", graph), one]));
}

/** Not counted further than it is told. */
function totalOf(reader: Database, query: Part): readonly Row[] {
  if (isCounted(query)) return keptCounts(reader, query);
  const terms = termsOf(query, dialect);
  const all = [...ofSet(query, dialect), ...terms];
  const some = `SELECT 1 FROM runs${where(all)} LIMIT ${COUNT_TO}`;
  return reader.all(`SELECT count(*) AS n FROM (${some})`, ...valuesOf(all));
}

function countsOf(reader: Database, query: Part): readonly Row[] {
  if (isCounted(query)) return keptCounts(reader, query);
  const terms = termsOf(query, dialect);
  const all = [...ofSet(query, dialect), ...terms];
  return reader.all(`SELECT status, count(*) AS n FROM runs${where(all)} GROUP BY status`, ...valuesOf(all));
}

/** True when graphs, sheets and statuses alone decide. */
const isCounted = ({ under: _, within: __, ...query }: Part): boolean => termsOf(query, dialect).length === 0;

/** Of all runs of graphs, sheets and statuses, counted when they change. */
function keptCounts(reader: Database, query: Part): readonly Row[] {
  const terms = [...ofSet(query, dialect), ...termsOf(query, dialect)];
  return reader.all(
    `SELECT status, sum(n) AS n FROM run_counts${where(terms)} GROUP BY status HAVING sum(n) > 0`,
    ...valuesOf(terms),
  );
}
