import { deathOf, LATE_EVENTS, type NodeEvent, recoveredAt, stuckAt } from "../legs/deaths.js";
import type { Sweeping, Swept } from "../legs/leg-store.js";
import { type Row, workerRow } from "../read-rows.js";
import type { DurableStore } from "../store.js";
import { N } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { addEvents } from "./writes.js";

type Owners = Pick<DurableStore, "beat" | "workers" | "leave" | "sweep">;

/** Who is at work, and what becomes of the runs of those who died. */
export const owners = ({ fast }: Commits, reader: Database): Owners => ({
  beat: ({ owner, seen, concurrency }) =>
    fast((database) => {
      database.run(
        `INSERT INTO workers VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET seen = excluded.seen, concurrency = excluded.concurrency`,
        ...[owner, seen, concurrency],
      );
    }),
  workers: async () => reader.all("SELECT * FROM workers ORDER BY owner").map(workerRow),
  leave: (owner) => fast((database) => void database.run("DELETE FROM workers WHERE owner = ?", owner)),
  sweep: async (sweeping) => {
    const gone = goneOwners(reader, sweeping);
    return gone.length === 0
      ? { taken: [], stuck: [] }
      : fast((database) => takeOver(database, gone, sweeping));
  },
});

function goneOwners(reader: Database, { isGone }: Sweeping): readonly string[] {
  const rows = reader.all(
    `SELECT owner, (SELECT seen FROM workers WHERE workers.owner = found.owner) AS seen FROM
       (SELECT owner FROM runs WHERE status = 'running' UNION SELECT owner FROM workers) AS found`,
  );
  return rows
    .filter(({ owner, seen }) => isGone(String(owner), seen == null ? null : Number(seen)))
    .map(({ owner }) => String(owner));
}

function takeOver(database: Database, gone: readonly string[], sweeping: Sweeping): Swept {
  const swept = { taken: [] as string[], stuck: [] as string[] };
  for (const owner of gone) {
    const runs = database.all(
      `SELECT run_id, deaths, died_at, (SELECT ifnull(max(seq), 0) FROM steps WHERE steps.run = runs.n) AS seq
         FROM runs WHERE owner = ? AND status = 'running'`,
      owner,
    );
    for (const run of runs) swept[bury(database, run, sweeping)].push(String(run["run_id"]));
    database.run("DELETE FROM workers WHERE owner = ?", owner);
  }
  return swept;
}

function bury(database: Database, run: Row, { now, recoveries }: Sweeping): keyof Swept {
  const { isStuck, deaths } = deathOf(run, recoveries);
  const runId = String(run["run_id"]);
  const held = isStuck ? stuckAt(deaths, nodesOf(database, runId)) : null;
  database.run(
    `UPDATE runs SET status = ?, owner = NULL, epoch = epoch + 1, recoveries = recoveries + 1, deaths = ?,
       died_at = ?, due = ?, held = ? WHERE run_id = ?`,
    ...[isStuck ? "stuck" : "queued", deaths, Number(run["seq"]), now, held, runId],
  );
  if (!isStuck) addEvents(database, runId, [recoveredAt(now)]);
  return isStuck ? "stuck" : "taken";
}

const nodesOf = (database: Database, runId: string): readonly NodeEvent[] =>
  database.all(
    `SELECT type, json_extract(event, '$.node') AS node, json_extract(event, '$.visit') AS visit FROM events
       WHERE run = ${N} AND type IN ('node_start', 'node_end') ORDER BY n DESC LIMIT ${LATE_EVENTS}`,
    runId,
  ) as readonly (Row & NodeEvent)[];
