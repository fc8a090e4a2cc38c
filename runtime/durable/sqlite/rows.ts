import type { NewEvent, NewRun, StepRow, WaitRow } from "../rows.js";
import { column } from "./columns.js";
import type { Database } from "./database.js";

/** The wait of a run without a time: never due by itself. The last time that a `Date` can hold. */
export const NEVER = 8_640_000_000_000_000;

export function insertRun(database: Database, run: NewRun): void {
  const { runId, graph, sheet, version, contract, key, userId, startedBy, parent } = run;
  database.run(
    `INSERT INTO runs (run_id, graph, sheet, version, contract, status, key, user_id, started_by, parent_id,
       parent_at, created, due, deadline) VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[runId, graph, sheet, version, contract, key, userId, startedBy],
    ...[parent?.runId ?? null, parent?.at ?? null, run.created, run.due, run.deadline],
  );
  database.run(
    "INSERT INTO run_values (run_id, given, options) VALUES (?, ?, ?)",
    ...[runId, column(run.given), JSON.stringify(run.options)],
  );
  database.run(
    "INSERT INTO run_words (rowid, run_id, words) SELECT n, run_id, ? FROM runs WHERE run_id = ?",
    run.words,
    runId,
  );
}

/** The same step once more is refused, or passed over. */
export function insertStep(
  database: Database,
  runId: string,
  step: StepRow,
  { token, again = "ABORT" }: { readonly token: string; readonly again?: "ABORT" | "IGNORE" },
): void {
  const { id, seq, pure, node, visit, attempt, branch, began, ended, outcome, error, worked } = step;
  database.run(
    `INSERT OR ${again} INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[runId, id, seq, pure ? 1 : 0, node, visit, attempt, JSON.stringify(branch), began, ended, outcome],
    ...[column(step.result), column(step.seen), column(step.writes), error, worked, token],
  );
}

export function insertWait(database: Database, runId: string, wait: WaitRow): void {
  const { id, seq, waiting, spec, about, opened, until, remindAt, escalateAt } = wait;
  database.run(
    "INSERT INTO waits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
    ...[runId, id, seq, waiting.node, JSON.stringify(waiting), JSON.stringify(spec), JSON.stringify(about)],
    ...[opened, until, remindAt, escalateAt, column(wait.ending), wait.answeredBy, wait.endedAt],
  );
}

/** Gives the number of the last event. */
export function addEvents(
  database: Database,
  runId: string,
  events: readonly NewEvent[],
  token: string | null = null,
): number {
  let last = lastEvent(database, runId);
  for (const { at, type, event } of events)
    database.run(
      "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
      ...[runId, ++last, at, type, JSON.stringify(event), token],
    );
  return last;
}

export const lastEvent = (database: Database, runId: string): number =>
  Number(database.first("SELECT max(n) AS n FROM events WHERE run_id = ?", runId)?.["n"] ?? 0);

/** Times and outcomes stay. Answers of people, texts of errors and what the search finds are values, too. */
export function eraseValues(database: Database, runId: string): void {
  database.run("UPDATE run_values SET given = NULL, result = NULL WHERE run_id = ?", runId);
  database.run(
    "UPDATE run_words SET words = runs.graph FROM runs WHERE run_words.rowid = runs.n AND runs.run_id = ?",
    runId,
  );
  database.run(
    "UPDATE steps SET result = NULL, seen = NULL, writes = NULL, error = NULL WHERE run_id = ?",
    runId,
  );
  database.run(
    `UPDATE waits SET waiting = json_set(waiting, '$.prompt', ''), spec = json_remove(spec, '$.prompt', '$.inside'),
       ending = json_replace(ending, '$.answer', NULL) WHERE run_id = ?`,
    runId,
  );
  database.run(
    "UPDATE events SET event = json_remove(event, '$.error', '$.waiting') WHERE run_id = ?",
    runId,
  );
}

export const isErased = (database: Database, runId: string): boolean =>
  database.first("SELECT 1 FROM run_values WHERE run_id = ? AND given IS NULL", runId) !== null;

export function forgetRun(database: Database, runId: string): void {
  database.run("DELETE FROM run_words WHERE rowid = (SELECT n FROM runs WHERE run_id = ?)", runId);
  for (const table of ["run_values", "steps", "waits", "events", "runs"])
    database.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
}
