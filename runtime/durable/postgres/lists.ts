import {
  addCounts,
  behind,
  COUNT_TO,
  type Dialect,
  findsFew,
  newestFirst,
  ofSet,
  PAGE,
  type Part,
  pageOf,
  partsOf,
  STATUSES,
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
import { termsOf as wordsOf } from "./words.js";

/** Each combination of a graph and a status is one look into an index that is in the order of the list. */
const MOST_LOOKS = 500;

export const lists = (database: Database): Pick<DurableStore, "list" | "counts"> => ({
  list: (query) => page(database, query),
  counts: async ({ status: _, ...query }) => {
    const counts: { [S in RunStatus]?: number } = {};
    for (const part of partsOf(query, dialect)) addCounts(await countsOf(database, part), counts);
    return counts;
  },
});

/** What a query asks. PostgreSQL's texts have no U+0000, so none is equal to one that has it. */
const asked = (part: Part): readonly Term[] =>
  termsOf(part, dialect).map((one) =>
    one.values.some((value) => typeof value === "string" && value.includes("\0")) ? term("false") : one,
  );

/** An array as PostgreSQL reads it. No text there has a U+0000. */
const array = (values: readonly string[]): string =>
  `{${values
    .filter((one) => !one.includes("\0"))
    .map((one) => `"${one.replace(/[\\"]/g, "\\$&")}"`)
    .join(",")}}`;

const OPEN_WAITS = "SELECT run_id FROM flowsheet.waits WHERE ending IS NULL";
/** The settings of a wait. No text of `jsonb` has a U+0000, nor half of a pair. */
const ABOUT = String.raw`regexp_replace(about, '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g')::jsonb`;
const ASKED = { now: ["{assignees}"], ever: ["{assignees}", "{escalate,assignees}"] };

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
    const asking = ASKED[when].map((place) => `jsonb_exists_any(${ABOUT} #> '${place}', ?::text[])`);
    return term(`run_id IN (${OPEN_WAITS} AND (${asking.join(" OR ")}))`, ...asking.map(() => array(names)));
  },
};

async function page(database: Database, query: RowQuery): Promise<RowPage> {
  const { limit = PAGE, cursor } = query;
  const after = cursor === undefined ? [] : [behind(cursor)];
  const parts = partsOf(query, dialect);
  const rows: Row[] = [];
  const totals: Row[] = [];
  for (const part of parts) {
    // One more tells whether there is a next page.
    rows.push(...(await select(database, part, { after, limit: limit + 1 })));
    totals.push(...(await totalOf(database, part)));
  }
  return pageOf(rows.sort(newestFirst), limit, sumOf(totals));
}

const ORDER = "ORDER BY created DESC, n DESC LIMIT ?";

function select(
  database: Database,
  part: Part,
  { after, limit }: { readonly after: readonly Term[]; readonly limit: number },
): Promise<readonly Row[]> {
  const terms = [...asked(part), ...after];
  if (findsFew(part)) {
    const all = [...ofSet(part, dialect), ...terms];
    const sql = `SELECT ${RUN}, n FROM flowsheet.runs${where(all)} ${ORDER}`;
    return database.all(sql, ...valuesOf(all), limit);
  }
  const { from, look } = looksOf(part);
  const all = [...look, ...terms];
  return database.all(
    `SELECT ${RUN}, n FROM ${from.sql},
       LATERAL (SELECT * FROM flowsheet.runs${where(all)} ${ORDER}) AS runs ${ORDER}`,
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

/** Not counted further than it is told. */
function totalOf(database: Database, part: Part): Promise<readonly Row[]> {
  const all = [...ofSet(part, dialect), ...asked(part)];
  const some = `SELECT FROM flowsheet.runs${where(all)} LIMIT ${COUNT_TO}`;
  return database.all(`SELECT count(*) AS n FROM (${some}) AS counted`, ...valuesOf(all));
}

function countsOf(database: Database, part: Part): Promise<readonly Row[]> {
  const all = [...ofSet(part, dialect), ...asked(part)];
  return database.all(
    `SELECT status, count(*) AS n FROM flowsheet.runs${where(all)} GROUP BY status`,
    ...valuesOf(all),
  );
}
