import { NEVER } from "../../../graph/values/times.js";
import type { Finish, Kept, LegEnd, Suspension } from "../../legs/leg-store.js";
import { waitRow } from "../../read-rows.js";
import type { Lease, RunStatus, WaitRow } from "../../rows.js";
import type { DurableStore } from "../../store.js";
import type { Database, Statements } from "../connect.js";
import { eraseValues } from "../erasing.js";
import { plain } from "../plain.js";
import { changeRun, HELD, heldBy, insertWaits, marked, N, type RunParts, unmarked } from "../writes.js";
import type { Lanes } from "./lanes.js";

type Legs = Pick<DurableStore, "leasesOf" | "openWait" | "endWait" | "suspend" | "finish" | "giveBack">;

/** What the holder of a lease writes. Every write looks at the lease in the row that it changes or locks. */
export const legs = (database: Database, lanes: Lanes): Legs => ({
  leasesOf: async (owner) => {
    const sql = "SELECT run_id, epoch FROM flowsheet.runs WHERE status = 'running' AND owner = ?";
    return (await database.all(sql, owner)).map(({ run_id, epoch }) => ({
      ...{ runId: String(run_id), owner, epoch: Number(epoch) },
    }));
  },
  openWait: (lease, wait) =>
    lanes.in(lease.runId, async () => {
      const row = { ...wait, ending: null, answeredBy: null, endedAt: null };
      const added = await insertWaits(database, { where: HELD, values: heldBy(lease) }, [row]);
      return added === 1 ? row : waitUnder(database, lease, wait.id);
    }),
  endWait: (lease, id, { at }) =>
    lanes.in(lease.runId, async () => {
      await endOverdue(database, lease, { ids: [id], at });
      return waitUnder(database, lease, id);
    }),
  suspend: (lease, end) =>
    lanes.in(lease.runId, () => database.transaction((statements) => suspendIn(statements, lease, end))),
  finish: (lease, end) =>
    lanes.in(lease.runId, async () => {
      // As a rule one statement is all of it.
      if (end.erase !== true && (await endRun(database, lease, end))) return "kept";
      return database.transaction((statements) => finishIn(statements, lease, end));
    }),
  giveBack: (lease, { due, held, worked }) =>
    lanes.in(lease.runId, async () => {
      const isBack = await changeRun(database, {
        set: "status = 'queued', owner = NULL, due = ?, held = ?, worked = greatest(worked, ?)",
        where: HELD,
        values: [due, held === null ? null : plain(held), worked, ...heldBy(lease)],
      });
      return isBack ? "kept" : wasEndedBy(database, lease, ["queued"]);
    }),
});

/** Each claim and each change by others gives a new epoch, so the epoch says who ended the leg. */
async function wasEndedBy(
  statements: Statements,
  { runId, epoch }: Lease,
  ends: readonly RunStatus[],
): Promise<Kept> {
  const row = await statements.first("SELECT status, epoch FROM flowsheet.runs WHERE run_id = ?", runId);
  return row !== null && Number(row["epoch"]) === epoch && ends.includes(row["status"] as RunStatus)
    ? "kept"
    : "lost";
}

/** Null when the lease is lost. */
async function waitUnder(statements: Statements, lease: Lease, id: string): Promise<WaitRow | null> {
  const row = await statements.first(
    `SELECT waits.* FROM flowsheet.waits JOIN flowsheet.runs USING (run_id) WHERE id = ? AND ${HELD}`,
    ...[id, ...heldBy(lease)],
  );
  return row === null ? null : waitRow(row);
}

/** Waits that are open and whose time is over. An answer that came before stays. */
async function endOverdue(
  statements: Statements,
  lease: Lease,
  { ids, at }: { readonly ids: readonly string[]; readonly at: number },
): Promise<void> {
  await statements.run(
    `WITH run AS (SELECT run_id FROM flowsheet.runs WHERE ${HELD} FOR NO KEY UPDATE)
       UPDATE flowsheet.waits SET ending = ?, ended_at = ? FROM run
         WHERE waits.run_id = run.run_id AND waits.id = ANY (?::text[]) AND waits.ending IS NULL`,
    ...[...heldBy(lease), JSON.stringify({ kind: "over" }), at, ids],
  );
}

async function suspendIn(statements: Statements, lease: Lease, end: Suspension): Promise<Kept> {
  const held = await statements.first(
    `SELECT 1 FROM flowsheet.runs WHERE ${HELD} FOR NO KEY UPDATE`,
    ...heldBy(lease),
  );
  if (held === null) return wasEndedBy(statements, lease, ["waiting", "queued"]);
  const { open = [], over = [] } = end.waits ?? {};
  if (open.length > 0)
    await insertWaits(
      statements,
      { where: HELD, values: heldBy(lease) },
      open.map((wait) => ({ ...wait, ending: null, answeredBy: null, endedAt: null })),
    );
  if (over.length > 0) await endOverdue(statements, lease, { ids: over, at: end.at });
  if (end.asked !== undefined) await forgetOthers(statements, lease.runId, end.asked, end.at);
  await putToSleep(statements, lease.runId, end);
  return "kept";
}

const GONE = JSON.stringify({ kind: "over", gone: true });

/** What a stopped branch asked is asked no more, until a retry comes to it again. */
async function forgetOthers(
  statements: Statements,
  runId: string,
  asked: readonly string[],
  at: number,
): Promise<void> {
  await statements.run(
    `UPDATE flowsheet.waits SET ending = CASE WHEN ending IS NULL THEN ? END,
       ended_at = CASE WHEN ending IS NULL THEN ?::bigint END
       WHERE run_id = ? AND CASE WHEN id = ANY (?::text[]) THEN ending = ? ELSE ending IS NULL END`,
    ...[GONE, at, runId, asked, GONE],
  );
}

/** The run waits, with what it has come to. Its row is locked. */
export async function putToSleep(statements: Statements, runId: string, end: Suspension): Promise<void> {
  const { status, due } = await asleep(statements, runId, end);
  await changeRun(statements, {
    set: `status = ?, owner = NULL, due = ?, started = coalesce(started, created), suspended = ?, worked = ?,
      held = NULL`,
    where: "run_id = ?",
    values: [status, due, end.at, end.worked, runId],
    ...endParts(end),
  });
}

/** A wait that ended behind the leg's back is news: the run goes on at once. */
async function asleep(
  statements: Statements,
  runId: string,
  { at, seen }: { readonly at: number; readonly seen: ReadonlySet<string> },
): Promise<{ readonly status: RunStatus; readonly due: number }> {
  const row = await statements.first(
    `SELECT count(*) FILTER (WHERE ending <> ? AND id <> ALL (?::text[])) AS news,
       least(min(until_at) FILTER (WHERE ending IS NULL), ?::bigint,
         (SELECT deadline FROM flowsheet.runs WHERE run_id = ?)) AS due
       FROM flowsheet.waits WHERE run_id = ?`,
    ...[GONE, [...seen], NEVER, runId, runId],
  );
  return Number(row?.["news"]) > 0
    ? { status: "queued", due: at }
    : { status: "waiting", due: Number(row?.["due"]) };
}

const endParts = ({ result, steps, events }: LegEnd): RunParts => ({
  ...{ steps: marked(steps, "end"), isAgain: true, events: unmarked(events) },
  result: { text: result === null ? null : JSON.stringify(result) },
});

/** False when the lease is lost. */
const endRun = (statements: Statements, lease: Lease, end: LegEnd & Finish): Promise<boolean> =>
  changeRun(statements, {
    set: "status = ?, owner = NULL, ended = ?, worked = ?, error_code = ?, held = NULL",
    where: HELD,
    values: [end.status, end.at, end.worked, end.errorCode, ...heldBy(lease)],
    ...endParts(end),
  });

async function finishIn(statements: Statements, lease: Lease, end: LegEnd & Finish): Promise<Kept> {
  if (await endRun(statements, lease, end)) {
    if (end.erase === true) await eraseValues(statements, lease.runId);
    return "kept";
  }
  await keepResultOfCancelled(statements, lease, end);
  return wasEndedBy(statements, lease, [end.status]);
}

/** What the leg had come to when its run was cancelled. Only the first time: the rest is done once more. */
async function keepResultOfCancelled(
  statements: Statements,
  { runId, epoch }: Lease,
  { result, erase = false, worked }: LegEnd & Finish,
): Promise<void> {
  const isCancelled = await changeRun(statements, {
    set: "worked = ?",
    where: "run_id = ? AND epoch = ? AND status = 'cancelled'",
    values: [worked, runId, epoch + 1],
  });
  if (!isCancelled) return;
  if (erase) return eraseValues(statements, runId);
  await statements.run(
    `UPDATE flowsheet.run_values SET result = ? WHERE run = ${N} AND result IS NULL`,
    ...[JSON.stringify(result), runId],
  );
}
