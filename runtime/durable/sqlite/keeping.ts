import type { RunCopy } from "../rows.js";
import type { DurableStore, Pruning } from "../store.js";
import { eventRow, FULL_RUN, fullRun, stepRow, waitRow } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { addEvents, eraseValues, forgetRun, insertRun, insertStep, insertWait } from "./rows.js";
import { runLike } from "./starts.js";

type Keeping = Pick<DurableStore, "prune" | "erase" | "copy" | "restore" | "compact">;

/** So many pages are given back at a time: whoever else writes waits meanwhile. */
const PAGES = 500;

export const keeping = ({ sure, fast }: Commits, reader: Database): Keeping => ({
  prune: async (pruning) => {
    const found = prunable(reader, pruning);
    if (pruning.dryRun === true || found.length === 0) return found.length;
    return fast((database) => {
      // A retry may have opened some of them again.
      const now = prunable(database, pruning);
      for (const runId of now) forgetRun(database, runId);
      return now.length;
    });
  },
  erase: (runId) => sure((database) => eraseValues(database, runId)),
  copy: async (runId) => copyOf(reader, runId),
  restore: (copy) => sure((database) => restoreIn(database, copy)),
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
       FROM runs JOIN run_values USING (run_id) WHERE run_id = ?`,
    runId,
  );
  if (row === null) return null;
  const rowsOf = (table: string, order: string): ReturnType<Database["all"]> =>
    reader.all(`SELECT * FROM ${table} WHERE run_id = ? ORDER BY ${order}`, runId);
  return {
    run: { ...fullRun(row), words: String(row["words"]) },
    steps: rowsOf("steps", "seq").map(stepRow),
    waits: rowsOf("waits", "seq, id").map(waitRow),
    events: rowsOf("events", "n").map(eventRow),
  };
}

function restoreIn(database: Database, { run, steps, waits, events }: RunCopy): boolean {
  const { runId, status } = run;
  if (runLike(database, run) !== null) return false;
  insertRun(database, run);
  database.run("UPDATE run_values SET result = ? WHERE run_id = ?", JSON.stringify(run.result), runId);
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
  return true;
}
