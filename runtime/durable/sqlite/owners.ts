import type { DurableStore, Sweeping, Swept } from "../store.js";
import { N } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import type { Row } from "./driver.js";

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
  workers: async () =>
    reader.all("SELECT * FROM workers ORDER BY owner").map((row) => ({
      owner: String(row["owner"]),
      seen: Number(row["seen"]),
      concurrency: Number(row["concurrency"]),
    })),
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

/** Deaths count from the last new record: a long run that gets on is not stuck. */
function bury(database: Database, run: Row, { now, recoveries }: Sweeping): keyof Swept {
  const seq = Number(run["seq"]);
  const deaths = seq > Number(run["died_at"]) ? 1 : Number(run["deaths"]) + 1;
  const isStuck = deaths > recoveries;
  const runId = String(run["run_id"]);
  const times = deaths === 1 ? "" : ` ${deaths} times in a row`;
  const held = isStuck ? `its worker died${times}${placeOf(database, runId)}` : null;
  database.run(
    `UPDATE runs SET status = ?, owner = NULL, epoch = epoch + 1, recoveries = recoveries + 1, deaths = ?,
       died_at = ?, due = ?, held = ? WHERE run_id = ?`,
    ...[isStuck ? "stuck" : "queued", deaths, seq, now, held, runId],
  );
  return isStuck ? "stuck" : "taken";
}

/** Among so many events what was at work is found, without reading all of a long run. */
const LATELY = 1_000;

/** The nodes that had begun and not ended. */
function placeOf(database: Database, runId: string): string {
  const open = new Map<string, string>();
  const rows = database.all(
    `SELECT type, json_extract(event, '$.node') AS node, json_extract(event, '$.visit') AS visit FROM events
       WHERE run = ${N} AND type IN ('node_start', 'node_end') ORDER BY n DESC LIMIT ${LATELY}`,
    runId,
  );
  for (const { type, node, visit } of [...rows].reverse()) {
    const key = `${node}|${visit}`;
    if (type === "node_start") open.set(key, String(node));
    else open.delete(key);
  }
  return open.size === 0 ? "" : ` at ${[...new Set(open.values())].join(", ")}`;
}
