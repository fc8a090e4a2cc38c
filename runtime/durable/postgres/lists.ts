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
import type { Database } from "./connect.js";
import { asData } from "./tables.js";
import { arrayText } from "./texts.js";
import { termsOf as wordsOf } from "./words.js";

/** Each combination of a graph and a status is one look into an index that is in the order of the list. */
const MOST_LOOKS = 500;

type Counts = { readonly [S in RunStatus]?: number };

export const lists = (database: Database): Pick<DurableStore, "list" | "counts"> => {
  const counted: Counted = new Map();
  return {
    list: (query) => page(database, query),
    counts: ({ status: _, ...query }) => counts(database, counted, query),
  };
};

/** What a query asks. PostgreSQL's texts have no U+0000, so none is equal to one that has it. */
const asked = (part: Part): readonly Term[] =>
  termsOf(part, dialect).map((one) =>
    one.values.some((value) => typeof value === "string" && value.includes("\0")) ? term("false") : one,
  );

/** No text there has a U+0000. */
const array = (values: readonly string[]): string => arrayText(values.filter((one) => !one.includes("\0")));

const OPEN_WAITS = "SELECT run_id FROM flowsheet.waits WHERE ending IS NULL";
/** Settings of a wait that ask one person, at each of these places. */
const ASKED: { readonly [when in "now" | "ever"]: readonly ((name: string) => object)[] } = {
  now: [(name) => ({ assignees: [name] })],
  ever: [(name) => ({ assignees: [name] }), (name) => ({ escalate: { assignees: [name] } })],
};

const dialect: Dialect = {
  isOneOf: (column, values) => term(`${column} = ANY(?::text[])`, array(values)),
  isUnder: (folders) => term("sheet ^@ ANY(?::text[])", array(folders)),
  searched: (q) => {
    const words = wordsOf(q);
    if (words.length === 0) return q.trim() === "" ? term("true") : term("false");
    const query = words.map((word) => `'${word}':*`).join(" & ");
    return term("n IN (SELECT run FROM flowsheet.run_words WHERE terms @@ ?::tsquery)", query);
  },
  waits: term(`run_id IN (${OPEN_WAITS})`),
  asks: (names, when) => {
    const asked = names.flatMap((name) => ASKED[when].map((place) => JSON.stringify(place(name))));
    // One condition for each: an index that knows what a value contains takes no list of values.
    const asking = asked.map(() => `${asData("about")} @> ${asData("?")}`).join(" OR ") || "false";
    return term(`run_id IN (${OPEN_WAITS} AND about <> 'null' AND (${asking}))`, ...asked);
  },
};

async function page(database: Database, query: RowQuery): Promise<RowPage> {
  const { limit = PAGE, cursor, order } = query;
  const after = cursor === undefined ? [] : [behind(cursor, order)];
  const rows: Row[] = [];
  let all = 0;
  for (const part of partsOf(query, dialect)) {
    const total = await totalOf(database, part);
    // One more tells whether there is a next page.
    if (total > 0) rows.push(...(await select(database, part, { after, limit: limit + 1, total })));
    all += total;
  }
  return pageOf(sorted(rows, order), limit, all);
}

function select(
  database: Database,
  part: Part,
  {
    after,
    limit,
    total,
  }: { readonly after: readonly Term[]; readonly limit: number; readonly total: number },
): Promise<readonly Row[]> {
  const terms = [...asked(part), ...after];
  const ending = ordered(part.order);
  // Of many that are found the newest are met soon on the way along the index; to sort all of them takes longer.
  if ((findsFew(part) || part.version !== undefined) && total < COUNT_TO) {
    const all = [...ofSet(part, dialect), ...terms];
    const sql = `SELECT ${RUN}, n FROM flowsheet.runs${where(all)} ${ending}`;
    return database.all(sql, ...valuesOf(all), limit);
  }
  const { from, look } = looksOf(part);
  const all = [...look, ...terms];
  return database.all(
    `SELECT ${RUN}, n FROM ${from.sql},
       LATERAL (SELECT * FROM flowsheet.runs${where(all)} ${ending}) AS runs ${ending}`,
    ...[...from.values, ...valuesOf(all), limit, limit],
  );
}

/** One look at several statuses would sort all that it finds: each is a look of its own, as long as a page. */
function looksOf({ status = STATUSES, graphs, userId }: Part): {
  readonly from: Term;
  readonly look: readonly Term[];
} {
  const from = term("unnest(?::text[]) AS statuses (its_status)", array([...new Set(status)]));
  const look = [term("status = its_status")];
  if (graphs === undefined) return { from, look };
  if (userId !== undefined || graphs.length * status.length > MOST_LOOKS)
    return { from, look: [...look, dialect.isOneOf("graph", graphs)] };
  return {
    from: term(
      `${from.sql}, unnest(?::text[]) AS graphs (its_graph)`,
      ...[...from.values, array([...new Set(graphs)])],
    ),
    look: [...look, term("graph = its_graph")],
  };
}

/** The index with the times begins with the status: with all of them named, only runs of that time are read. */
const withStatus = (part: Part): Part =>
  part.since === undefined && part.until === undefined ? part : { status: STATUSES, ...part };

/** Not counted further than it is told. */
async function totalOf(database: Database, part: Part): Promise<number> {
  const all = [...ofSet(withStatus(part), dialect), ...asked(part)];
  const some = `SELECT FROM flowsheet.runs${where(all)} LIMIT ${COUNT_TO}`;
  const row = await database.first(`SELECT count(*) AS n FROM (${some}) AS counted`, ...valuesOf(all));
  return Number(row?.["n"]);
}

/** Of more runs than are counted each time, the number may be so old: to count them takes the longer, the more there are. */
const LATELY_MS = 30_000;
/** So many numbers are kept. */
const MOST_KEPT = 100;

/** What was counted lately, by what was asked. */
type Counted = Map<string, { readonly at: number; readonly rows: Promise<readonly Row[]> }>;

async function counts(database: Database, counted: Counted, query: RowQuery): Promise<Counts> {
  const found: { [S in RunStatus]?: number } = {};
  for (const part of partsOf(query, dialect)) {
    const rows = await (findsFew(part) ? countFew(database, part) : countEach(database, part));
    const isAll = findsFew(part) ? sumOf(rows) < COUNT_TO : rows.every(({ n }) => Number(n) < COUNT_TO);
    addCounts(isAll ? rows : await countAll(database, counted, { part, few: rows }), found);
  }
  return found;
}

function countFew(database: Database, part: Part): Promise<readonly Row[]> {
  const all = [...ofSet(part, dialect), ...asked(part)];
  const some = `SELECT status FROM flowsheet.runs${where(all)} LIMIT ${COUNT_TO}`;
  return database.all(
    `SELECT status, count(*) AS n FROM (${some}) AS counted GROUP BY status`,
    ...valuesOf(all),
  );
}

/** Of each status by itself, since only those that have ended become many. */
async function countEach(database: Database, part: Part): Promise<readonly Row[]> {
  const all = [term("status = its_status"), ...ofSet(part, dialect), ...asked(part)];
  const some = `SELECT FROM flowsheet.runs${where(all)} LIMIT ${COUNT_TO}`;
  const rows = await database.all(
    `SELECT its_status AS status, (SELECT count(*) FROM (${some}) AS counted) AS n
       FROM unnest(?::text[]) AS statuses (its_status)`,
    ...[...valuesOf(all), array(STATUSES)],
  );
  return rows.filter(({ n }) => Number(n) > 0);
}

/** Exact numbers of what is few; of what is many, those that were counted lately. */
async function countAll(
  database: Database,
  counted: Counted,
  { part, few }: { readonly part: Part; readonly few: readonly Row[] },
): Promise<readonly Row[]> {
  const all = [...ofSet(part, dialect), ...asked(part)];
  const sql = `SELECT status, count(*) AS n FROM flowsheet.runs${where(all)} GROUP BY status`;
  const name = JSON.stringify([sql, ...valuesOf(all)]);
  const known = counted.get(name);
  if (known === undefined || performance.now() - known.at > LATELY_MS) {
    if (counted.size >= MOST_KEPT) counted.clear();
    const rows = database.all(sql, ...valuesOf(all));
    counted.set(name, { at: performance.now(), rows });
    rows.catch(() => counted.delete(name));
  }
  const many = (await counted.get(name)?.rows) ?? [];
  if (findsFew(part)) return many;
  const lately = new Map(many.map((row) => [row["status"], row]));
  return few.map((row) => (Number(row["n"]) < COUNT_TO ? row : (lately.get(row["status"] ?? null) ?? row)));
}
