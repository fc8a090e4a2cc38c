import { type Death, deathOf, LATE_EVENTS, type NodeEvent, recoveredAt, stuckAt } from "../../legs/deaths.js";
import type { Sweeping, Swept } from "../../legs/leg-store.js";
import { workerRow } from "../../read-rows.js";
import type { DurableStore } from "../../store.js";
import type { Database, Statements } from "../connect.js";
import { changeRun, N, NOW } from "../writes.js";

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
    return takeOver(database, gone, sweeping);
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

/** So many runs are taken in one transaction: whoever writes to one of them waits for its end. */
const PIECE = 100;

/** Runs that somebody writes to at this moment are left to the next sweep. */
async function takeOver(database: Database, gone: readonly string[], sweeping: Sweeping): Promise<Swept> {
  const swept = { taken: [] as string[], stuck: [] as string[] };
  for (let last = PIECE; last === PIECE; ) {
    const piece = await database.transaction((statements) => takePiece(statements, gone, sweeping));
    swept.taken.push(...piece.taken);
    swept.stuck.push(...piece.stuck);
    last = piece.taken.length + piece.stuck.length;
  }
  await database.run("DELETE FROM flowsheet.workers WHERE owner = ANY (?::text[])", gone);
  return swept;
}

interface Dead {
  readonly runId: string;
  readonly n: string;
  readonly seq: number;
  readonly death: Death;
}

async function takePiece(
  statements: Statements,
  gone: readonly string[],
  sweeping: Sweeping,
): Promise<Swept> {
  const rows = await statements.all(
    `SELECT n, run_id, deaths, died_at,
       (SELECT coalesce(max(seq), 0) FROM flowsheet.steps WHERE steps.run = runs.n) AS seq
       FROM flowsheet.runs WHERE owner = ANY (?::text[]) AND status = 'running'
       LIMIT ${PIECE} FOR NO KEY UPDATE SKIP LOCKED`,
    gone,
  );
  const dead = rows.map((row) => ({
    ...{ runId: String(row["run_id"]), n: String(row["n"]), seq: Number(row["seq"]) },
    death: deathOf(row, sweeping.recoveries),
  }));
  const [stuck, taken] = [dead.filter(isStuck), dead.filter((run) => !isStuck(run))];
  if (taken.length > 0) await putBack(statements, taken, sweeping.now);
  for (const run of stuck) await giveUp(statements, run, sweeping.now);
  return { taken: taken.map(runIdOf), stuck: stuck.map(runIdOf) };
}

const isStuck = ({ death }: Dead): boolean => death.isStuck;
const runIdOf = ({ runId }: Dead): string => runId;

/** All of them with one statement. Others go on with them. */
async function putBack(statements: Statements, dead: readonly Dead[], now: number): Promise<void> {
  const { type, event } = recoveredAt(now);
  await statements.run(
    `WITH run AS (
        UPDATE flowsheet.runs SET status = 'queued', owner = NULL, epoch = epoch + 1, recoveries = recoveries + 1,
          deaths = dead.deaths, died_at = dead.seq, due = ?, held = NULL, events = events + 1
        FROM unnest(?::bigint[], ?::integer[], ?::bigint[]) AS dead (run, deaths, seq)
        WHERE runs.n = dead.run RETURNING runs.n, runs.events)
      INSERT INTO flowsheet.events (run, n, at, type, event) SELECT n, events, ?::bigint, ?, ? FROM run`,
    now,
    dead.map(({ n }) => n),
    dead.map(({ death }) => death.deaths),
    dead.map(({ seq }) => seq),
    ...[now, type, JSON.stringify(event)],
  );
}

/** Nobody goes on with it, and it is said at which nodes it was. */
async function giveUp(statements: Statements, { runId, seq, death }: Dead, now: number): Promise<void> {
  const held = stuckAt(death.deaths, await nodesOf(statements, runId));
  await changeRun(statements, {
    set: `status = 'stuck', owner = NULL, epoch = epoch + 1, recoveries = recoveries + 1, deaths = ?, died_at = ?,
      due = ?, held = ?`,
    where: "run_id = ?",
    values: [death.deaths, seq, now, held, runId],
  });
}

async function nodesOf(statements: Statements, runId: string): Promise<readonly NodeEvent[]> {
  const rows = await statements.all(
    `SELECT type, event FROM flowsheet.events WHERE run = ${N} AND type IN ('node_start', 'node_end')
       ORDER BY n DESC LIMIT ${LATE_EVENTS}`,
    runId,
  );
  return rows.map(({ type, event }) => ({ ...(JSON.parse(String(event)) as NodeEvent), type }));
}
