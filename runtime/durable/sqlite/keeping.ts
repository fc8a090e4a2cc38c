import { statSync } from "node:fs";
import { eventRow, FULL_RUN, fullRun, stepRow, waitRow } from "../read-rows.js";
import type { RunCopy, VersionRow } from "../rows.js";
import type { DurableStore, Pruning } from "../store.js";
import { N, RUNS_WITH_VALUES } from "./columns.js";
import type { Commits } from "./commits.js";
import { type Database, damaged, FULL_DISK, hasRoom, unwritable } from "./database.js";
import { keepVersion } from "./versions.js";
import { addEvents, forgetRuns, insertRun, insertStep, insertWait } from "./writes.js";

type Keeping = Pick<
  DurableStore,
  "probe" | "check" | "prune" | "forget" | "named" | "copy" | "restore" | "compact"
>;

/** So many pages are given back at a time: whoever else writes waits meanwhile. */
const PAGES = 100;
/** So many runs are forgotten in one transaction. */
const PIECE = 100;

export const keeping = ({ sure, fast }: Commits, reader: Database, path: string): Keeping => ({
  probe: () =>
    sure((database) => {
      database.run("UPDATE meta SET schema = schema");
      // So little is written in place of what found no room before.
      if (!hasRoom(path)) throw unwritable(path, FULL_DISK, null);
    }),
  check: async (most = Number.POSITIVE_INFINITY) => {
    if (statSync(path).size > most) return;
    const found = reader.first("PRAGMA quick_check(1)")?.["quick_check"];
    if (found !== "ok") throw damaged(path, found);
  },
  prune: async (pruning) => {
    if (pruning.dryRun === true) return prunable(reader, pruning).length;
    let pruned = 0;
    // Others come between two pieces.
    for (let last = 1; last > 0 && pruned < pruning.limit; pruned += last) {
      const limit = Math.min(PIECE, pruning.limit - pruned);
      if (prunable(reader, { ...pruning, limit: 1 }).length === 0) break;
      last = await fast((database) => {
        const runIds = prunable(database, { ...pruning, limit });
        forgetRuns(database, runIds);
        return runIds.length;
      });
    }
    return pruned;
  },
  forget: (runId) =>
    fast((database) => {
      if (database.first("SELECT 1 FROM runs WHERE run_id = ? AND ended IS NOT NULL", runId) !== null)
        forgetRuns(database, [runId]);
    }),
  named: async (status, { after, limit }) =>
    reader
      .all(
        `SELECT n, run_id, version FROM runs WHERE n > ? AND status IN (SELECT value FROM json_each(?))
           ORDER BY n LIMIT ?`,
        ...[after, JSON.stringify(status), limit],
      )
      .map((row) => ({
        n: Number(row["n"]),
        runId: String(row["run_id"]),
        version: String(row["version"]),
      })),
  copy: async (runId) => copyOf(reader, runId),
  restore: (copy, version) => sure((database) => restoreIn(database, copy, version)),
  compact: async () => {
    while (freePages(reader) > 0) {
      reader.exec(`PRAGMA incremental_vacuum(${PAGES})`);
      await new Promise((next) => setImmediate(next));
    }
    // The write-ahead log keeps its size until it is cut.
    reader.all("PRAGMA wal_checkpoint(TRUNCATE)");
  },
});

const freePages = (reader: Database): number =>
  Number(reader.first("PRAGMA freelist_count")?.["freelist_count"] ?? 0);

const prunable = (database: Database, { endedBefore, statuses, limit }: Pruning): readonly string[] =>
  database
    .all(
      `SELECT run_id FROM runs INDEXED BY runs_ended WHERE ended IS NOT NULL AND ended < ?
         AND status IN (SELECT value FROM json_each(?)) ORDER BY ended LIMIT ?`,
      ...[endedBefore, JSON.stringify(statuses), limit],
    )
    .map((row) => String(row["run_id"]));

function copyOf(reader: Database, runId: string): RunCopy | null {
  const row = reader.first(
    `SELECT ${FULL_RUN}, (SELECT words FROM run_words WHERE run_words.rowid = n) AS words
       FROM ${RUNS_WITH_VALUES} WHERE run_id = ?`,
    runId,
  );
  if (row === null) return null;
  const rowsOf = (those: string): ReturnType<Database["all"]> => reader.all(`SELECT * FROM ${those}`, runId);
  return {
    run: { ...fullRun(row), words: String(row["words"]) },
    steps: rowsOf(`steps WHERE run = ${N} ORDER BY seq`).map(stepRow),
    waits: rowsOf("waits WHERE run_id = ? ORDER BY seq, id").map(waitRow),
    events: rowsOf(`events WHERE run = ${N} ORDER BY n`).map(eventRow),
  };
}

function restoreIn(
  database: Database,
  { run, steps, waits, events }: RunCopy,
  version: VersionRow | null,
): boolean {
  const { runId, status } = run;
  if (insertRun(database, run) === null) return false;
  if (version !== null) keepVersion(database, version, () => version.texts);
  database.run(`UPDATE run_values SET result = ? WHERE run = ${N}`, JSON.stringify(run.result), runId);
  database.run(
    `UPDATE runs SET status = ?, epoch = ?, recoveries = ?, started = ?, suspended = ?, ended = ?, worked = ?,
       held = ?, error_code = ? WHERE run_id = ?`,
    // Nobody here is at work on it.
    ...[status === "running" ? "queued" : status, run.epoch, run.recoveries, run.started, run.suspended],
    ...[run.ended, run.worked, run.held, run.errorCode, runId],
  );
  for (const step of steps) insertStep(database, runId, step, { token: runId });
  for (const wait of waits) insertWait(database, runId, wait);
  addEvents(database, runId, events);
  if (run.isErased) database.run(`UPDATE run_values SET given = NULL WHERE run = ${N}`, runId);
  return true;
}
