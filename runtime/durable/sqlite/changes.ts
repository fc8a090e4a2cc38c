import { RUN, runRow } from "../read-rows.js";
import { checkCancel, checkRetry, type NoWait, type OpenWait, openWait } from "../refused-changes.js";
import type { GivenAnswers, RunRow } from "../rows.js";
import type { Again, Answered, Cancelled, Change, DurableStore } from "../store.js";
import { N } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { keepVersion } from "./versions.js";
import { addEvents, eraseValues, isErased } from "./writes.js";

/** What people do with runs. Each change gives a new epoch, so that a leg at work loses its lease. */
export const changes = ({ sure }: Commits): Pick<DurableStore, "answer" | "cancel" | "retry" | "move"> => ({
  answer: (runId, given) => sure((database) => answerIn(database, runId, given)),
  cancel: (runId, cancelled) =>
    sure((database) => changed(database, runId, cancelled, (_, run) => cancelIn(database, run, cancelled))),
  retry: (runId, again) =>
    sure((database) => changed(database, runId, again, (_, run) => retryIn(database, run, again))),
  move: (runId, version, change) =>
    sure((database) =>
      changed(database, runId, change, (_, { status, epoch }) => {
        if ((status !== "queued" && status !== "waiting") || epoch !== change.epoch) return false;
        keepVersion(database, version, () => version.texts);
        const moved = "UPDATE runs SET version = ?, epoch = epoch + 1 WHERE run_id = ?";
        database.run(moved, version.version, runId);
        return true;
      }),
    ),
});

type Step = (database: Database, run: RunRow, change: Change) => boolean;

const rowOf = (database: Database, runId: string): RunRow | null => {
  const row = database.first(`SELECT ${RUN} FROM runs WHERE run_id = ?`, runId);
  return row === null ? null : runRow(row);
};

function changed(database: Database, runId: string, change: Change, step: Step): RunRow | null {
  const run = rowOf(database, runId);
  if (run === null || !step(database, run, change)) return run;
  addEvents(database, runId, change.events);
  return rowOf(database, runId);
}

function cancelIn(database: Database, run: RunRow, { at, erase = false }: Cancelled): boolean {
  checkCancel(run);
  const { runId, status } = run;
  // The leg of a run at work may still say what it came to.
  if (status === "running") database.run(`UPDATE run_values SET result = NULL WHERE run = ${N}`, runId);
  database.run(
    `UPDATE runs SET status = 'cancelled', owner = NULL, epoch = epoch + 1, ended = ?, error_code = 'cancelled',
       held = NULL WHERE run_id = ?`,
    ...[at, runId],
  );
  // At once: whoever retries it must not come between.
  if (erase) eraseValues(database, runId);
  return true;
}

function retryIn(database: Database, run: RunRow, again: Again): boolean {
  const { runId } = run;
  const { at, forget, after } = again;
  checkRetry(run, again, isErased(database, runId));
  database.run(
    `DELETE FROM steps WHERE run = ${N} AND id IN (SELECT value FROM json_each(?))`,
    ...[runId, JSON.stringify(forget)],
  );
  if (after !== null) database.run("DELETE FROM waits WHERE run_id = ? AND seq > ?", runId, after);
  database.run(`UPDATE run_values SET result = NULL WHERE run = ${N}`, runId);
  database.run(
    `UPDATE runs SET status = 'queued', owner = NULL, epoch = epoch + 1, deaths = 0, died_at = 0, due = ?,
       held = NULL, ended = NULL, error_code = NULL, deadline = CASE WHEN deadline <= ? THEN NULL ELSE deadline END
       WHERE run_id = ?`,
    // A deadline that is over would end it again at once.
    ...[at, at, runId],
  );
  return true;
}

function answerIn(database: Database, runId: string, given: GivenAnswers): Answered {
  const run = rowOf(database, runId);
  if (run === null) return { kind: "unknown_run" };
  const open: (readonly [id: string, node: string])[] = [];
  let isKnown = false;
  for (const node of Object.keys(given.answers)) {
    const found = waitAt(database, run, { ...given, node });
    if ("kind" in found) return found;
    if (found.isMine) isKnown = true;
    else open.push([found.id, node]);
  }
  for (const [id, node] of open) endWait(database, { runId, id }, { ...given, answer: given.answers[node] });
  if (open.length === 0 && isKnown) return { kind: "taken" };
  addEvents(database, runId, given.events);
  database.run(
    "UPDATE runs SET status = 'queued', due = ? WHERE run_id = ? AND status = 'waiting'",
    given.at,
    runId,
  );
  return { kind: "taken" };
}

function waitAt(
  database: Database,
  run: RunRow,
  given: Omit<GivenAnswers, "answers"> & { readonly node: string },
): OpenWait | NoWait {
  // Of several the open one, then the last one that ended.
  const wait = database.first(
    `SELECT id, token, until_at, json_extract(ending, '$.kind') AS ending FROM waits
       WHERE run_id = ? AND node = ? AND ifnull(id = ?, 1)
       ORDER BY ending IS NOT NULL, CASE WHEN ending IS NULL THEN seq ELSE -seq END LIMIT 1`,
    ...[run.runId, given.node, given.waits?.[given.node] ?? null],
  );
  return openWait(run, wait, given);
}

function endWait(
  database: Database,
  { runId, id }: { readonly runId: string; readonly id: string },
  { answer, by, at, token }: Omit<GivenAnswers, "answers"> & { readonly answer: unknown },
): void {
  database.run(
    "UPDATE waits SET ending = ?, answered_by = ?, ended_at = ?, token = ? WHERE run_id = ? AND id = ?",
    ...[JSON.stringify({ kind: "answer", answer }), by, at, token, runId, id],
  );
}
