import type { Claimed, Claiming } from "../../legs/leg-store.js";
import { FULL_RUN, fullRun, type Row } from "../../read-rows.js";
import type { DurableStore } from "../../store.js";
import type { Database, Given, Statements } from "../connect.js";

/** Takes due runs. Those that another worker takes at this moment are passed over. */
export function claims(database: Database): Pick<DurableStore, "claim"> {
  // Whoever found nothing looks first: that costs a fourth of a claim, and as a rule there is nothing once more.
  let isQuiet = false;
  return {
    claim: async (claiming) => {
      if (claiming.runId !== undefined) return claim(database, claiming);
      if (isQuiet && !(await isAnyDue(database, claiming))) return [];
      const claimed = await claim(database, claiming);
      isQuiet = claimed.length === 0;
      return claimed;
    },
  };
}

async function claim(database: Database, claiming: Claiming): Promise<readonly Claimed[]> {
  const { limits = {}, runId, graphs } = claiming;
  const isPlain = Object.keys(limits).length === 0 && runId === undefined && graphs === undefined;
  if (isPlain) return take(database, claiming, anyOf(claiming));
  const due = await dueGraphs(database, claiming);
  const limited = due.filter((graph) => limits[graph] !== undefined);
  if (limited.length > 0)
    return database.transaction((statements) => claimLimited(statements, claiming, { due, limited }));
  return due.length === 0 ? [] : take(database, claiming, ofGraphs(claiming, due));
}

/** Whether as many runs of a graph are at work as may be. Others are kept from beginning one meanwhile. */
export async function isFull(
  statements: Statements,
  graph: string,
  limits: Claiming["limits"] = {},
): Promise<boolean> {
  const limit = limits[graph];
  return (
    limit !== undefined && ((await roomOf(statements, [graph], { [graph]: limit })).get(graph) ?? 0) <= 0
  );
}

/** A statement that gives the numbers of runs, and locks them. */
interface Found {
  readonly sql: string;
  readonly values: readonly Given[];
}

const DUE = "status IN ('queued', 'waiting') AND due <= ? AND contract = ?";

const isAnyDue = async (statements: Statements, { now, contract }: Claiming): Promise<boolean> =>
  (await statements.first(`SELECT 1 FROM flowsheet.runs WHERE ${DUE} LIMIT 1`, now, contract)) !== null;

const anyOf = ({ now, contract, limit }: Claiming): Found => ({
  sql: `SELECT n FROM flowsheet.runs WHERE ${DUE} ORDER BY due LIMIT ? FOR UPDATE SKIP LOCKED`,
  values: [now, contract, limit],
});

/** Of each graph by itself: among many that wait for their turn, those of another graph are found at once. */
function ofGraphs({ now, contract, limit, runId }: Claiming, graphs: readonly string[]): Found {
  const only = runId === undefined ? "" : "AND run_id = ?";
  return {
    sql: `SELECT due.n, due.graph FROM unnest(?::text[]) AS one (name) CROSS JOIN LATERAL (
        SELECT n, graph, due FROM flowsheet.runs WHERE graph = one.name AND ${DUE} ${only}
          ORDER BY due LIMIT ? FOR UPDATE SKIP LOCKED) AS due
      ORDER BY due.due`,
    values: [graphs, now, contract, ...(runId === undefined ? [] : [runId]), limit],
  };
}

async function take(
  statements: Statements,
  { owner, now, limit }: Claiming,
  found: Found,
): Promise<readonly Claimed[]> {
  const rows = await statements.all(
    `WITH found AS (${found.sql}), taken AS (
        UPDATE flowsheet.runs SET status = 'running', owner = ?, epoch = epoch + 1, started = coalesce(started, ?),
          held = NULL WHERE n IN (SELECT n FROM found LIMIT ?) RETURNING *)
      SELECT ${FULL_RUN} FROM taken AS runs JOIN flowsheet.run_values ON run_values.run = runs.n ORDER BY due, n`,
    ...[...found.values, owner, now, limit],
  );
  return rows.map((row) => claimedRun(row, owner));
}

function claimedRun(row: Row, owner: string): Claimed {
  const run = fullRun(row);
  return { lease: { runId: run.runId, owner, epoch: run.epoch }, run };
}

/** The names of all graphs with open runs, one look into the index each. */
const OPEN_GRAPHS = `WITH RECURSIVE open (name) AS (
    (SELECT graph FROM flowsheet.runs WHERE status IN ('queued', 'waiting') ORDER BY graph LIMIT 1)
    UNION ALL
    SELECT (SELECT graph FROM flowsheet.runs WHERE status IN ('queued', 'waiting') AND graph > open.name
      ORDER BY graph LIMIT 1) FROM open WHERE open.name IS NOT NULL)
  SELECT name FROM open WHERE name IS NOT NULL`;

/** The graphs that have due runs, of those that are asked for. */
async function dueGraphs(
  statements: Statements,
  { now, contract, runId, graphs }: Claiming,
): Promise<readonly string[]> {
  const only = runId === undefined ? "" : "AND run_id = ?";
  const names = graphs === undefined ? OPEN_GRAPHS : "SELECT unnest(?::text[])";
  const rows = await statements.all(
    `SELECT name FROM (${names}) AS one (name)
       WHERE EXISTS (SELECT 1 FROM flowsheet.runs WHERE graph = one.name AND ${DUE} ${only})`,
    ...[...(graphs === undefined ? [] : [graphs]), now, contract, ...(runId === undefined ? [] : [runId])],
  );
  return rows.map(({ name }) => String(name));
}

/** Always in the same order, so that no two wait for each other. */
const LOCK_GRAPHS = `SELECT pg_advisory_xact_lock(hashtextextended('flowsheet limit ' || name, 0))
  FROM (SELECT name FROM unnest(?::text[]) AS one (name) ORDER BY name) AS graphs`;

/** How many runs of each graph may still begin. Whoever else counts waits for the end of this transaction. */
async function roomOf(
  statements: Statements,
  graphs: readonly string[],
  limits: NonNullable<Claiming["limits"]>,
): Promise<ReadonlyMap<string, number>> {
  await statements.all(LOCK_GRAPHS, graphs);
  const rows = await statements.all(
    "SELECT graph, count(*) AS n FROM flowsheet.runs WHERE status = 'running' AND graph = ANY (?::text[]) GROUP BY graph",
    graphs,
  );
  const atWork = new Map(rows.map(({ graph, n }) => [String(graph), Number(n)]));
  return new Map(graphs.map((graph) => [graph, (limits[graph] ?? 0) - (atWork.get(graph) ?? 0)]));
}

async function claimLimited(
  statements: Statements,
  claiming: Claiming,
  { due, limited }: { readonly due: readonly string[]; readonly limited: readonly string[] },
): Promise<readonly Claimed[]> {
  const room = new Map(await roomOf(statements, limited, claiming.limits ?? {}));
  const free = due.filter((graph) => (room.get(graph) ?? 1) > 0);
  if (free.length === 0) return [];
  const found = ofGraphs(claiming, free);
  const taken: string[] = [];
  for (const { n, graph } of await statements.all(found.sql, ...found.values)) {
    const left = room.get(String(graph)) ?? claiming.limit;
    if (left <= 0) continue;
    if (room.has(String(graph))) room.set(String(graph), left - 1);
    taken.push(String(n));
  }
  return take(statements, claiming, { sql: "SELECT unnest(?::bigint[]) AS n", values: [taken] });
}
