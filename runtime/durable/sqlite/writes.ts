import { begunRun, column, type Value } from "../read-rows.js";
import type { FullRun, Lease, NewEvent, NewRun, StepRow, WaitRow } from "../rows.js";
import { N } from "./columns.js";
import type { Database } from "./database.js";
import { forgetVersions } from "./versions.js";

/** Gives the row, at work when it has an owner; null when a run of this id or of this key is there. */
export function insertRun(database: Database, run: NewRun, owner: string | null = null): FullRun | null {
  const [given, options] = [JSON.stringify(run.given), JSON.stringify(run.options)];
  const begun = begunRun(run, owner, { given, options });
  const { runId, graph, sheet, version, contract, key, userId, startedBy, parent, created, due } = run;
  const inserted = database.run(
    `INSERT INTO runs (run_id, graph, sheet, version, contract, status, owner, epoch, key, user_id, started_by, parent_id,
       parent_at, created, due, started, deadline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ...[runId, graph, sheet, version, contract, begun.status, owner, begun.epoch, key, userId, startedBy],
    ...[parent?.runId ?? null, parent?.at ?? null, created, due, begun.started, run.deadline],
  );
  if (inserted === 0) return null;
  // Each has the number that the run was given.
  database.run(
    "INSERT INTO run_values (run, given, options) VALUES (last_insert_rowid(), ?, ?)",
    ...[given, options],
  );
  database.run(
    "INSERT INTO run_words (rowid, run_id, words) VALUES (last_insert_rowid(), ?, ?)",
    ...[runId, run.words],
  );
  return begun;
}

const STEP = "INTO steps SELECT n, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM runs WHERE";

/** The holder of a lease may write. */
export const HELD = "run_id = ? AND owner = ? AND epoch = ? AND status = 'running'";
export const heldBy = ({ runId, owner, epoch }: Lease): readonly [string, string, number] => [
  runId,
  owner,
  epoch,
];

/** The same step once more is refused, or passed over. */
export function insertStep(
  database: Database,
  runId: string,
  step: StepRow,
  { token, again = "ABORT" }: { readonly token: string; readonly again?: "ABORT" | "IGNORE" },
): void {
  database.run(`INSERT OR ${again} ${STEP} run_id = ?`, ...stepColumns(step, token), runId);
}

/** False when the lease is lost, and when the step is there. */
export function insertStepUnder(database: Database, lease: Lease, step: StepRow, token: string): boolean {
  const values = [...stepColumns(step, token), ...heldBy(lease)];
  return database.run(`INSERT OR IGNORE ${STEP} ${HELD}`, ...values) === 1;
}

function stepColumns(step: StepRow, token: string): readonly Value[] {
  const { id, seq, pure, node, visit, attempt, branch, began, ended, outcome, error, worked } = step;
  return [
    ...[id, seq, pure ? 1 : 0, node, visit, attempt, JSON.stringify(branch), began, ended, outcome],
    ...[column(step.result), column(step.seen), column(step.writes), error, worked, token],
  ];
}

export function insertWait(database: Database, runId: string, wait: WaitRow): void {
  const { id, seq, waiting, spec, about, opened, until, remindAt, escalateAt } = wait;
  database.run(
    "INSERT INTO waits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
    ...[runId, id, seq, waiting.node, JSON.stringify(waiting), JSON.stringify(spec), JSON.stringify(about)],
    ...[opened, until, remindAt, escalateAt, column(wait.ending), wait.answeredBy, wait.endedAt],
  );
}

/** So many events are one statement at most. */
const EVENTS = 8;
/** The statements, by the number of their events. */
const ADD = Array.from({ length: EVENTS + 1 }, (_, count) => {
  const rows = Array.from({ length: count }, (_, i) => `(${i + 1}, ?, ?, ?)`).join(", ");
  return `INSERT INTO events SELECT run, last + column1, column2, column3, column4, ? FROM
    (SELECT n AS run, (SELECT ifnull(max(n), 0) FROM events WHERE run = runs.n) AS last FROM runs WHERE run_id = ?),
    (VALUES ${rows})`;
});

/** They follow the last event of the run. */
export function addEvents(
  database: Database,
  runId: string,
  events: readonly NewEvent[],
  token: string | null = null,
): void {
  for (let from = 0; from < events.length; from += EVENTS) {
    const values: Value[] = [token, runId];
    const some = events.slice(from, from + EVENTS);
    for (const { at, type, event } of some) values.push(at, type, JSON.stringify(event));
    database.run(ADD[some.length] ?? "", ...values);
  }
}

export const lastEvent = (database: Database, runId: string): number =>
  Number(database.first(`SELECT max(n) AS n FROM events WHERE run = ${N}`, runId)?.["n"] ?? 0);

/** Times and outcomes stay. Answers of people, texts of errors and what the search finds are values, too. */
export function eraseValues(database: Database, runId: string): void {
  database.run(
    `UPDATE run_values SET given = NULL, result = NULL, options = json_remove(options, '$.set') WHERE run = ${N}`,
    runId,
  );
  database.run(
    "UPDATE run_words SET words = runs.graph FROM runs WHERE run_words.rowid = runs.n AND runs.run_id = ?",
    runId,
  );
  database.run(
    `UPDATE steps SET result = NULL, seen = NULL, writes = NULL, error = NULL WHERE run = ${N}`,
    runId,
  );
  database.run(
    `UPDATE waits SET waiting = json_set(waiting, '$.prompt', ''), about = 'null',
       spec = json_remove(spec, '$.prompt', '$.inside', '$.assignees', '$.escalate'),
       ending = json_replace(ending, '$.answer', NULL) WHERE run_id = ?`,
    runId,
  );
  database.run(
    `UPDATE events SET event = json_remove(event, '$.error', '$.waiting', '$.prompt', '$.assignee') WHERE run = ${N}`,
    runId,
  );
}

export const isErased = (database: Database, runId: string): boolean =>
  database.first(`SELECT 1 FROM run_values WHERE run = ${N} AND given IS NULL`, runId) !== null;

/** All at once: one by one they would take twice the time. */
export function forgetRuns(database: Database, runIds: readonly string[]): void {
  const ids = JSON.stringify(runIds);
  const rows = database.all(
    "SELECT n, graph FROM runs WHERE run_id IN (SELECT value FROM json_each(?))",
    ids,
  );
  const numbers = JSON.stringify(rows.map(({ n }) => n));
  database.run("DELETE FROM run_words WHERE rowid IN (SELECT value FROM json_each(?))", numbers);
  for (const table of ["run_values", "steps", "events"])
    database.run(`DELETE FROM ${table} WHERE run IN (SELECT value FROM json_each(?))`, numbers);
  for (const table of ["waits", "runs"])
    database.run(`DELETE FROM ${table} WHERE run_id IN (SELECT value FROM json_each(?))`, ids);
  forgetVersions(database, new Set(rows.map(({ graph }) => String(graph))));
}
