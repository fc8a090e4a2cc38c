import { randomUUID } from "node:crypto";
import { type Row, RUN, runRow, type Value } from "../read-rows.js";
import { checkCancel, checkRetry, type NoWait, type OpenWait, openWait } from "../refused-changes.js";
import type { GivenAnswers, RunRow, WaitEnding } from "../rows.js";
import type { Again, Answered, Cancelled, Change, DurableStore } from "../store.js";
import type { Database, Given, Statements } from "./connect.js";
import { eraseValues, isErased } from "./erasing.js";
import type { Lanes } from "./legs/lanes.js";
import { keepVersion } from "./versions.js";
import { changeRun, N, unmarked } from "./writes.js";

type Changes = Pick<DurableStore, "answer" | "cancel" | "retry" | "move">;

/** What people do with runs. Each change gives a new epoch, so that a leg at work loses its lease. */
export const changes = (database: Database, lanes: Lanes): Changes => {
  const inOrder = <T>(runId: string, work: (statements: Statements) => Promise<T>): Promise<T> =>
    lanes.in(runId, () => database.transaction(work));
  const changed = (runId: string, change: Change, step: Step): Promise<RunRow | null> => {
    const token = randomUUID();
    return inOrder(runId, (statements) => changedIn(statements, runId, { change, token }, step));
  };
  return {
    answer: (runId, given) => inOrder(runId, (statements) => answerIn(statements, runId, given)),
    cancel: (runId, cancelled) =>
      changed(runId, cancelled, (statements, run) => cancelIn(statements, run, cancelled)),
    retry: (runId, again) => changed(runId, again, (statements, run) => retryIn(statements, run, again)),
    move: (runId, version, change) =>
      changed(runId, change, async (statements, { status, epoch }) => {
        if ((status !== "queued" && status !== "waiting") || epoch !== change.epoch) return null;
        await keepVersion(statements, version, () => version.texts);
        return { set: "version = ?", values: [version.version] };
      }),
  };
};

/** What is set in the row; null for nothing at all. */
interface Setting {
  readonly set: string;
  readonly values: readonly Given[];
}

type Step = (statements: Statements, run: RunRow) => Promise<Setting | null>;

/** What is done with the run's other tables counts only together with this, since the row is locked. */
async function changedIn(
  statements: Statements,
  runId: string,
  { change, token }: { readonly change: Change; readonly token: string },
  step: Step,
): Promise<RunRow | null> {
  const found = await lockedRow(statements, runId);
  if (found === null) return null;
  const run = runRow(found);
  // Done by this very call, whose acknowledgement was lost.
  if (found["token"] === token) return run;
  const setting = await step(statements, run);
  if (setting === null) return run;
  await changeRun(statements, {
    set: `epoch = epoch + 1, token = ?, ${setting.set}`,
    where: "run_id = ?",
    values: [token, ...setting.values, runId],
    events: unmarked(change.events),
  });
  return runRow((await lockedRow(statements, runId)) ?? found);
}

const lockedRow = (statements: Statements, runId: string): Promise<Row | null> =>
  statements.first(`SELECT ${RUN}, token FROM flowsheet.runs WHERE run_id = ? FOR NO KEY UPDATE`, runId);

async function cancelIn(
  statements: Statements,
  run: RunRow,
  { at, erase = false }: Cancelled,
): Promise<Setting> {
  checkCancel(run);
  const { runId, status } = run;
  // The leg of a run at work may still say what it came to.
  if (status === "running")
    await statements.run(`UPDATE flowsheet.run_values SET result = NULL WHERE run = ${N}`, runId);
  // At once: whoever retries it must not come between.
  if (erase) await eraseValues(statements, runId);
  const set = "status = 'cancelled', owner = NULL, ended = ?, error_code = 'cancelled', held = NULL";
  return { set, values: [at] };
}

async function retryIn(statements: Statements, run: RunRow, again: Again): Promise<Setting> {
  const { runId } = run;
  const { at, forget, after } = again;
  checkRetry(run, again, await isErased(statements, runId));
  await statements.run(
    `DELETE FROM flowsheet.steps WHERE run = ${N} AND id = ANY (?::text[])`,
    ...[runId, forget],
  );
  if (after !== null)
    await statements.run("DELETE FROM flowsheet.waits WHERE run_id = ? AND seq > ?", runId, after);
  await statements.run(`UPDATE flowsheet.run_values SET result = NULL WHERE run = ${N}`, runId);
  // A deadline that is over would end it again at once.
  const set = `status = 'queued', owner = NULL, deaths = 0, died_at = 0, due = ?, held = NULL, ended = NULL,
    error_code = NULL, deadline = CASE WHEN deadline <= ? THEN NULL ELSE deadline END`;
  return { set, values: [at, at] };
}

async function answerIn(statements: Statements, runId: string, given: GivenAnswers): Promise<Answered> {
  const row = await lockedRow(statements, runId);
  if (row === null) return { kind: "unknown_run" };
  const run = runRow(row);
  const open: (readonly [id: string, node: string])[] = [];
  let isKnown = false;
  for (const node of Object.keys(given.answers)) {
    const found = await waitAt(statements, run, { ...given, node });
    if ("kind" in found) return found;
    if (found.isMine) isKnown = true;
    else open.push([found.id, node]);
  }
  for (const [id, node] of open)
    await endWait(statements, { runId, id }, { ...given, answer: given.answers[node] });
  if (open.length === 0 && isKnown) return { kind: "taken" };
  await changeRun(statements, {
    set: `due = CASE status WHEN 'waiting' THEN ? ELSE due END,
      status = CASE status WHEN 'waiting' THEN 'queued' ELSE status END`,
    where: "run_id = ?",
    values: [given.at, runId],
    events: unmarked(given.events),
  });
  return { kind: "taken" };
}

async function waitAt(
  statements: Statements,
  run: RunRow,
  given: Omit<GivenAnswers, "answers"> & { readonly node: string },
): Promise<OpenWait | NoWait> {
  // Of several the open one, then the last one that ended.
  const id = given.waits?.[given.node] ?? null;
  const wait = await statements.first(
    `SELECT id, token, until_at, ending FROM flowsheet.waits
       WHERE run_id = ? AND node = ? ${id === null ? "" : "AND id = ?"}
       ORDER BY ending IS NOT NULL, CASE WHEN ending IS NULL THEN seq ELSE -seq END LIMIT 1`,
    ...[run.runId, given.node, ...(id === null ? [] : [id])],
  );
  return openWait(run, wait === null ? null : { ...wait, ending: kindOf(wait["ending"] ?? null) }, given);
}

const kindOf = (ending: Value): string | null =>
  ending === null ? null : (JSON.parse(String(ending)) as WaitEnding).kind;

async function endWait(
  statements: Statements,
  { runId, id }: { readonly runId: string; readonly id: string },
  { answer, by, at, token }: Omit<GivenAnswers, "answers"> & { readonly answer: unknown },
): Promise<void> {
  await statements.run(
    "UPDATE flowsheet.waits SET ending = ?, answered_by = ?, ended_at = ?, token = ? WHERE run_id = ? AND id = ?",
    ...[JSON.stringify({ kind: "answer", answer }), by, at, token, runId, id],
  );
}
