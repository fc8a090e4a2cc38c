import { deathOf, LATE_EVENTS, type NodeEvent, recoveredAt, stuckAt } from "../../legs/deaths.js";
import { type Row, workerRow } from "../../read-rows.js";
import type { DurableStore, Sweeping, Swept } from "../../store.js";
import type { Database, Statements } from "../connect.js";
import { changeRun, N, NOW, unmarked } from "../writes.js";

type Owners = Pick<DurableStore, "beat" | "workers" | "leave" | "sweep">;

/** The last beat by the clock of this machine. Clocks differ, so beats are kept by the clock of the database. */
const SEEN = `?::bigint - (${NOW} - seen)`;

/** Who is at work, and what becomes of the runs of those who died. */
export const owners = (database: Database): Owners => ({
  beat: async ({ owner, concurrency }) => {
    await database.run(
      `INSERT INTO flowsheet.workers (owner, seen, concurrency) VALUES (?, ${NOW}, ?)
         ON CONFLICT (owner) DO UPDATE SET seen = excluded.seen, concurrency = excluded.concurrency`,
      ...[owner, concurrency],
    );
  },
  workers: async () => {
    const sql = `SELECT owner, ${SEEN} AS seen, concurrency FROM flowsheet.workers ORDER BY owner`;
    return (await database.all(sql, Date.now())).map(workerRow);
  },
  leave: async (owner) => {
    await database.run("DELETE FROM flowsheet.workers WHERE owner = ?", owner);
  },
  sweep: async (sweeping) => {
    const gone = await goneOwners(database, sweeping);
    if (gone.length === 0) return { taken: [], stuck: [] };
    return database.transaction((statements) => takeOver(statements, gone, sweeping));
  },
});

async function goneOwners(statements: Statements, { isGone }: Sweeping): Promise<readonly string[]> {
  const rows = await statements.all(
    `SELECT owner, (SELECT ${SEEN} FROM flowsheet.workers WHERE workers.owner = found.owner) AS seen FROM
       (SELECT owner FROM flowsheet.runs WHERE status = 'running' UNION SELECT owner FROM flowsheet.workers) AS found`,
    Date.now(),
  );
  return rows
    .filter(({ owner, seen }) => isGone(String(owner), seen == null ? null : Number(seen)))
    .map(({ owner }) => String(owner));
}

/** Runs that somebody writes to at this moment are left to the next sweep. */
async function takeOver(statements: Statements, gone: readonly string[], sweeping: Sweeping): Promise<Swept> {
  const runs = await statements.all(
    `SELECT run_id, deaths, died_at,
       (SELECT coalesce(max(seq), 0) FROM flowsheet.steps WHERE steps.run = runs.n) AS seq
       FROM flowsheet.runs WHERE owner = ANY (?::text[]) AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED`,
    gone,
  );
  const swept = { taken: [] as string[], stuck: [] as string[] };
  for (const run of runs) swept[await bury(statements, run, sweeping)].push(String(run["run_id"]));
  await statements.run("DELETE FROM flowsheet.workers WHERE owner = ANY (?::text[])", gone);
  return swept;
}

async function bury(statements: Statements, run: Row, { now, recoveries }: Sweeping): Promise<keyof Swept> {
  const { isStuck, deaths } = deathOf(run, recoveries);
  const runId = String(run["run_id"]);
  const held = isStuck ? stuckAt(deaths, await nodesOf(statements, runId)) : null;
  await changeRun(statements, {
    set: `status = ?, owner = NULL, epoch = epoch + 1, recoveries = recoveries + 1, deaths = ?, died_at = ?, due = ?,
      held = ?`,
    where: "run_id = ?",
    values: [isStuck ? "stuck" : "queued", deaths, Number(run["seq"]), now, held, runId],
    events: isStuck ? [] : unmarked([recoveredAt(now)]),
  });
  return isStuck ? "stuck" : "taken";
}

async function nodesOf(statements: Statements, runId: string): Promise<readonly NodeEvent[]> {
  const rows = await statements.all(
    `SELECT type, event FROM flowsheet.events WHERE run = ${N} AND type IN ('node_start', 'node_end')
       ORDER BY n DESC LIMIT ${LATE_EVENTS}`,
    runId,
  );
  return rows.map(({ type, event }) => ({ ...(JSON.parse(String(event)) as NodeEvent), type }));
}
