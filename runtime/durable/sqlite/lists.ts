import { searchWords } from "../../runs/search-words.js";
import type { Row, Value } from "../read-rows.js";
import { RUN, runRow } from "../read-rows.js";
import type { RunStatus } from "../rows.js";
import type { DurableStore, RowPage, RowQuery } from "../store.js";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";

const STATUSES: readonly RunStatus[] = [
  "queued",
  "running",
  "waiting",
  "stuck",
  "completed",
  "failed",
  "cancelled",
];
const PAGE = 50;
/** Counting more would make a list as slow as it is long. */
const MOST_COUNTED = 10_000;
/** Each combination of a graph and a status is one look into an index that is in the order of the list. */
const MOST_LOOKS = 100;

export const lists = (reader: Database): Pick<DurableStore, "list" | "counts"> => ({
  list: async (query) => page(reader, query),
  counts: async ({ status: _, ...query }) => {
    const counts: { [S in RunStatus]?: number } = {};
    for (const part of partsOf(query))
      for (const { status, n } of countsOf(reader, part))
        counts[status as RunStatus] = (counts[status as RunStatus] ?? 0) + Number(n);
    return counts;
  },
});

/** A query that is answered with one index. */
interface Part extends Omit<RowQuery, "seenBy"> {
  readonly terms?: readonly Term[];
}

/** What somebody may see, in parts that have no run in common: those that they began, then those that ask them. */
function partsOf({ seenBy, ...query }: RowQuery): readonly Part[] {
  if (seenBy === undefined) return [query];
  const { startedBy, asked } = seenBy;
  const asking =
    asked === "anybody" ? term(`${OPEN} AND run_id IN (${OPEN_WAITS})`) : assignedTo(asked, ASKED_EVER);
  const others = { ...query, terms: [asking, term("user_id IS NOT ?", startedBy)] };
  if (startedBy === null) return [{ ...query, terms: [asking] }];
  const isOthers = query.userId !== undefined && query.userId !== startedBy;
  return isOthers ? [others] : [{ ...query, userId: startedBy }, others];
}

/** A condition of SQL with its values. */
interface Term {
  readonly sql: string;
  readonly values: readonly Value[];
}

const term = (sql: string, ...values: readonly Value[]): Term => ({ sql, values });
const either = (one: Term, other: Term): Term =>
  term(`(${one.sql} OR ${other.sql})`, ...one.values, ...other.values);
const isOneOf = (what: string, values: readonly string[]): Term =>
  term(`${what} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

/** What a query asks beside graphs and statuses. */
function termsOf(part: Part): readonly Term[] {
  const { version, key, userId, assigned, since, until, q, under, within, terms = [] } = part;
  return [
    ...terms,
    version === undefined ? null : term("substr(version, 1, ?) = ?", version.length, version),
    key === undefined ? null : term("key = ?", key),
    userId === undefined ? null : term("user_id = ?", userId),
    since === undefined ? null : term("created >= ?", since),
    until === undefined ? null : term("created <= ?", until),
    q === undefined ? null : searched(q),
    assigned === undefined ? null : assignedTo(assigned),
    under === undefined ? null : isUnder(under),
    within === undefined ? null : either(isOneOf("graph", within.graphs), isUnder(within.folders)),
  ].filter((one) => one !== null);
}

/** Every word must be there, or begin so. The quotes take the meaning from all signs. */
function searched(q: string): Term {
  const words = searchWords(q);
  if (words.length === 0) return q.trim() === "" ? term("1") : term("0");
  const match = words.map((word) => `"${word}"*`).join(" ");
  return term("n IN (SELECT rowid FROM run_words WHERE run_words MATCH ?)", match);
}

const isUnder = (folders: readonly string[]): Term =>
  term(
    `EXISTS (SELECT 1 FROM json_each(?) AS one WHERE substr(sheet, 1, length(one.value)) = one.value)`,
    JSON.stringify(folders),
  );

/** A wait of a run that has ended is not open. */
const OPEN = "status IN ('queued', 'running', 'waiting', 'stuck')";
const OPEN_WAITS = "SELECT run_id FROM waits WHERE ending IS NULL";

/** Places in the settings of a wait. */
const ASKED_NOW = ["$.assignees"];
const ASKED_EVER = [...ASKED_NOW, "$.escalate.assignees"];

function assignedTo(assigned: readonly string[], places: readonly string[] = ASKED_NOW): Term {
  const names = JSON.stringify(assigned);
  const asking = places.map(
    (place) => `SELECT waits.run_id FROM waits, json_each(about, '${place}') AS one
       WHERE ending IS NULL AND one.value IN (SELECT value FROM json_each(?))`,
  );
  return term(`${OPEN} AND run_id IN (${asking.join(" UNION ")})`, ...places.map(() => names));
}

function page(reader: Database, query: RowQuery): RowPage {
  const { limit = PAGE, cursor } = query;
  const after = cursor === undefined ? [] : [behind(cursor)];
  const parts = partsOf(query);
  // One more tells whether there is a next page.
  const rows = parts
    .flatMap((part) =>
      looks(part).flatMap((look) => select(reader, [...look, ...termsOf(part), ...after], limit + 1)),
    )
    .sort((a, b) => Number(b["created"]) - Number(a["created"]) || Number(b["n"]) - Number(a["n"]));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map(runRow),
    cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
    total: sumOf(parts.map((part) => totalOf(reader, part))),
  };
}

const select = (reader: Database, terms: readonly Term[], limit: number): readonly Row[] =>
  reader.all(
    `SELECT ${RUN}, n FROM runs${where(terms)} ORDER BY created DESC, n DESC LIMIT ?`,
    ...[...terms.flatMap(({ values }) => values), limit],
  );

const where = (terms: readonly Term[]): string =>
  terms.length === 0 ? "" : ` WHERE ${terms.map(({ sql }) => sql).join(" AND ")}`;

/** The looks whose results together are the answer. One look at several statuses would sort all that it finds. */
function looks(query: Part): readonly (readonly Term[])[] {
  const { status = STATUSES, graphs, q, key, userId, assigned, terms } = query;
  if ([q, key, assigned, terms].some((one) => one !== undefined)) return [ofSet(query)];
  const each = status.map((one) => term("status = ?", one));
  if (graphs === undefined) return each.map((one) => [one]);
  if (userId !== undefined || graphs.length * status.length > MOST_LOOKS)
    return each.map((one) => [one, isOneOf("+graph", graphs)]);
  return graphs.flatMap((graph) => each.map((one) => [term("graph = ?", graph), one]));
}

const ofSet = ({ status, graphs }: Part): readonly Term[] => [
  ...(status === undefined ? [] : [isOneOf("status", status)]),
  ...(graphs === undefined ? [] : [isOneOf("graph", graphs)]),
];

const sumOf = (totals: readonly number[]): number | null => {
  const total = totals.reduce((sum, one) => sum + one, 0);
  return total > MOST_COUNTED ? null : total;
};

/** Not counted further than it is told. */
function totalOf(reader: Database, query: Part): number {
  const terms = termsOf(query);
  const counted = terms.length === 0 ? keptCounts(reader, query) : null;
  const rest = [...ofSet(query), ...terms];
  const [row] =
    counted ??
    reader.all(
      `SELECT count(*) AS n FROM (SELECT 1 FROM runs${where(rest)} LIMIT ${MOST_COUNTED + 1})`,
      ...rest.flatMap(({ values }) => values),
    );
  return counted?.reduce((sum, { n }) => sum + Number(n), 0) ?? Number(row?.["n"] ?? 0);
}

function countsOf(reader: Database, query: Part): readonly Row[] {
  const terms = termsOf(query);
  if (terms.length === 0) return keptCounts(reader, query);
  const all = [...ofSet(query), ...terms];
  return reader.all(
    `SELECT status, count(*) AS n FROM runs${where(all)} GROUP BY status`,
    ...all.flatMap(({ values }) => values),
  );
}

/** Of all runs of graphs and statuses, counted when they change. */
function keptCounts(reader: Database, query: Part): readonly Row[] {
  const terms = ofSet(query);
  return reader.all(
    `SELECT status, sum(n) AS n FROM run_counts${where(terms)} GROUP BY status HAVING sum(n) > 0`,
    ...terms.flatMap(({ values }) => values),
  );
}

const cursorOf = (row: Row): string => Buffer.from(`${row["created"]}.${row["n"]}`).toString("base64url");

function behind(cursor: string): Term {
  const [, created, n] = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (created === undefined || n === undefined)
    throw new StoreError("input_invalid", "the cursor is none that a list has given");
  return term("(created, n) < (?, ?)", Number(created), Number(n));
}
