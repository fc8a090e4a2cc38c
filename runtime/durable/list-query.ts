import { type Row, runRow, type Value } from "./read-rows.js";
import type { RunStatus } from "./rows.js";
import type { ListOrder, RowPage, RowQuery } from "./store.js";
import { StoreError } from "./store-error.js";

/** A condition of SQL with its values. */
export interface Term {
  readonly sql: string;
  readonly values: readonly Value[];
}

export const term = (sql: string, ...values: readonly Value[]): Term => ({ sql, values });

/** What each database writes in its own way. */
export interface Dialect {
  readonly isOneOf: (column: string, values: readonly string[]) => Term;
  /** The path of the sheet begins with one of these. */
  readonly isUnder: (folders: readonly string[]) => Term;
  /** Each word is one of the run's, or the beginning of one. */
  readonly searched: (q: string) => Term;
  /** The run has an open wait. */
  readonly waits: Term;
  /** The run has an open wait that asks one of these, also those whom it asks later. */
  readonly asks: (names: readonly string[], when: "now" | "ever") => Term;
}

export const STATUSES: readonly RunStatus[] = [
  "queued",
  "running",
  "waiting",
  "stuck",
  "completed",
  "failed",
  "cancelled",
];
export const PAGE = 50;
/** Counting more would make a list as slow as it is long. */
const MOST_COUNTED = 10_000;
/** Nobody counts further. */
export const COUNT_TO: number = MOST_COUNTED + 1;

/** A query that is answered with one index. */
export interface Part extends Omit<RowQuery, "seenBy"> {
  readonly terms?: readonly Term[];
}

/** What somebody may see, in parts that have no run in common: those that they began, then those that ask them. */
export function partsOf({ seenBy, ...query }: RowQuery, dialect: Dialect): readonly Part[] {
  if (seenBy === undefined) return [query];
  const { startedBy, asked } = seenBy;
  const asking = whileOpen(asked === "anybody" ? dialect.waits : dialect.asks(asked, "ever"));
  if (startedBy === null) return [{ ...query, terms: [asking] }];
  const others = { ...query, terms: [asking, term("user_id IS DISTINCT FROM ?", startedBy)] };
  const isOthers = query.userId !== undefined && query.userId !== startedBy;
  return isOthers ? [others] : [{ ...query, userId: startedBy }, others];
}

/** A wait of a run that has ended is not open. */
const whileOpen = ({ sql, values }: Term): Term => ({
  sql: `status IN ('queued', 'running', 'waiting', 'stuck') AND ${sql}`,
  values,
});

const either = (one: Term, other: Term): Term =>
  term(`(${one.sql} OR ${other.sql})`, ...one.values, ...other.values);

/** What a query asks beside graphs and statuses. */
export function termsOf(part: Part, dialect: Dialect): readonly Term[] {
  const { version, key, userId, trigger, assigned, since, until, q, under, within, terms = [] } = part;
  const { isOneOf, isUnder, searched, asks } = dialect;
  return [
    ...terms,
    // A range, so that an index finds it.
    version === undefined ? null : term("version >= ? AND version < ?", version, `${version}\u{10ffff}`),
    key === undefined ? null : term("key = ?", key),
    userId === undefined ? null : term("user_id = ?", userId),
    trigger === undefined ? null : term("started_by = ? AND user_id IS NULL", trigger),
    since === undefined ? null : term("created >= ?", since),
    until === undefined ? null : term("created <= ?", until),
    q === undefined ? null : searched(q),
    assigned === undefined ? null : whileOpen(asks(assigned, "now")),
    under === undefined ? null : isUnder(under),
    within === undefined ? null : either(isOneOf("graph", within.graphs), isUnder(within.folders)),
  ].filter((one) => one !== null);
}

/** Few runs are found by what this asks. Else a list goes along an index that is in its order. */
export const findsFew = ({ q, key, trigger, assigned, terms }: Part): boolean =>
  [q, key, trigger, assigned, terms].some((one) => one !== undefined);

export const ofSet = ({ status, graphs }: Part, { isOneOf }: Dialect): readonly Term[] => [
  ...(status === undefined ? [] : [isOneOf("status", status)]),
  ...(graphs === undefined ? [] : [isOneOf("graph", graphs)]),
];

export const where = (terms: readonly Term[]): string =>
  terms.length === 0 ? "" : ` WHERE ${terms.map(({ sql }) => sql).join(" AND ")}`;

export const valuesOf = (terms: readonly Term[]): readonly Value[] => terms.flatMap(({ values }) => values);

/** Rows with a column `n`, as the statements of a list count them. */
export const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { n }) => sum + Number(n), 0);

export function addCounts(rows: readonly Row[], counts: { [S in RunStatus]?: number }): void {
  for (const { status, n } of rows)
    counts[status as RunStatus] = (counts[status as RunStatus] ?? 0) + Number(n);
}

/** One page of rows in the order of the list, of which there may be one more than the page has. */
export function pageOf(rows: readonly Row[], limit: number, total: number): RowPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map(runRow),
    cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
    total: total < COUNT_TO ? total : null,
  };
}

/** How a list is sorted; of one time by which run was started first. */
export const ordered = (order: ListOrder = "newest"): string =>
  order === "newest" ? "ORDER BY created DESC, n DESC LIMIT ?" : "ORDER BY created, n LIMIT ?";

/** The same for rows of several looks. */
export function sorted(rows: readonly Row[], order: ListOrder = "newest"): readonly Row[] {
  const oldestFirst = (a: Row, b: Row): number =>
    Number(a["created"]) - Number(b["created"]) || Number(a["n"]) - Number(b["n"]);
  return rows.toSorted(order === "oldest" ? oldestFirst : (a, b) => oldestFirst(b, a));
}

const cursorOf = (row: Row): string => Buffer.from(`${row["created"]}.${row["n"]}`).toString("base64url");

/** What comes behind a page. */
export function behind(cursor: string, order: ListOrder = "newest"): Term {
  const [, created, n] = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (created === undefined || n === undefined)
    throw new StoreError("input_invalid", "the cursor is none that a list has given");
  return term(`(created, n) ${order === "newest" ? "<" : ">"} (?, ?)`, Number(created), Number(n));
}
