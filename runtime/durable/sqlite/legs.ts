import { NEVER } from "../../graph/values/times.js";
import type { Kept, LegEnd, LegRecord, Suspension } from "../legs/leg-store.js";
import { column, waitRow } from "../read-rows.js";
import type { Lease, RunStatus } from "../rows.js";
import type { DurableStore } from "../store.js";
import { N } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import {
  addEvents,
  eraseValues,
  HELD,
  heldBy,
  insertStep,
  insertStepUnder,
  insertWait,
  lastEvent,
} from "./writes.js";

type Legs = Pick<
  DurableStore,
  "leasesOf" | "record" | "openWait" | "endWait" | "suspend" | "finish" | "giveBack"
>;

/** What the holder of a lease writes. Every write looks at the lease in its own transaction. */
export const legs = ({ sure, fast }: Commits, reader: Database): Legs => ({
  leasesOf: async (owner) =>
    reader
      .all("SELECT run_id, epoch FROM runs WHERE status = 'running' AND owner = ?", owner)
      .map(({ run_id, epoch }) => ({ runId: String(run_id), owner, epoch: Number(epoch) })),
  record: (lease, record) => fast((database) => recordIn(database, lease, record)),
  openWait: (lease, wait) =>
    fast((database) => {
      if (!isHeld(database, lease)) return null;
      const known = waitOf(database, lease.runId, wait.id);
      if (known !== null) return known;
      const row = { ...wait, ending: null, answeredBy: null, endedAt: null };
      insertWait(database, lease.runId, row);
      return row;
    }),
  endWait: (lease, id, { at }) =>
    sure((database) => {
      if (!isHeld(database, lease)) return null;
      endOverdue(database, lease.runId, { id, at });
      return waitOf(database, lease.runId, id);
    }),
  suspend: (lease, end) =>
    sure((database) => {
      if (!isHeld(database, lease)) return wasEndedBy(database, lease, ["waiting", "queued"]);
      changeWaits(database, lease.runId, end);
      if (end.asked !== undefined) forgetOthers(database, lease.runId, end.asked, end.at);
      putToSleep(database, lease.runId, end);
      return "kept";
    }),
  finish: (lease, end) =>
    sure((database) => {
      const ended = database.run(
        `UPDATE runs SET status = ?, owner = NULL, ended = ?, worked = ?, error_code = ?, held = NULL WHERE ${HELD}`,
        ...[end.status, end.at, end.worked, end.errorCode, ...heldBy(lease)],
      );
      if (ended === 0) {
        keepResultOfCancelled(database, lease, end);
        return wasEndedBy(database, lease, [end.status]);
      }
      keepEnd(database, lease.runId, end);
      if (end.erase === true) eraseValues(database, lease.runId);
      return "kept";
    }),
  giveBack: (lease, { due, held, worked }) =>
    fast((database) => {
      if (!isHeld(database, lease)) return wasEndedBy(database, lease, ["queued"]);
      database.run(
        "UPDATE runs SET status = 'queued', owner = NULL, due = ?, held = ?, worked = max(worked, ?) WHERE run_id = ?",
        ...[due, held, worked, lease.runId],
      );
      return "kept";
    }),
});

const isHeld = (database: Database, lease: Lease): boolean =>
  database.first(`SELECT 1 FROM runs WHERE ${HELD}`, ...heldBy(lease)) !== null;

/** Each claim and each change by others gives a new epoch, so the epoch says who ended the leg. */
function wasEndedBy(database: Database, lease: Lease, ends: readonly RunStatus[]): Kept {
  const status = statusOf(database, lease, lease.epoch);
  return status !== null && ends.includes(status) ? "kept" : "lost";
}

function statusOf(database: Database, { runId }: Lease, epoch: number | null = null): RunStatus | null {
  const row = database.first("SELECT status, epoch FROM runs WHERE run_id = ?", runId);
  return row === null || (epoch !== null && row["epoch"] !== epoch) ? null : (row["status"] as RunStatus);
}

const waitOf = (database: Database, runId: string, id: string): ReturnType<typeof waitRow> | null => {
  const row = database.first("SELECT * FROM waits WHERE run_id = ? AND id = ?", runId, id);
  return row === null ? null : waitRow(row);
};

function recordIn(database: Database, lease: Lease, { steps, events, token }: LegRecord): Kept {
  const { runId } = lease;
  const [first, ...others] = steps;
  // As a rule the lease holds and the step is new: one statement sees to both.
  const isNew = first !== undefined && insertStepUnder(database, lease, first, token);
  if (!isNew) {
    if (!isHeld(database, lease)) return "lost";
    if (isRecorded(database, runId, first?.id, token)) return "kept";
  }
  for (const step of isNew ? others : steps) insertStep(database, runId, step, { token });
  // The steps carry the token, when there are any.
  addEvents(database, runId, events, steps.length === 0 ? token : null);
  return "kept";
}

/** A record is repeated at once: among so many events it is found, without reading all of a long run. */
const LATELY = 1_000;

/** True when the same record was kept before: its acknowledgement was lost. */
function isRecorded(database: Database, runId: string, id: string | undefined, token: string): boolean {
  const found =
    id === undefined
      ? database.first(
          `SELECT 1 FROM events WHERE run = ${N} AND n > ? AND token = ?`,
          runId,
          lastEvent(database, runId) - LATELY,
          token,
        )
      : database.first(`SELECT 1 FROM steps WHERE run = ${N} AND id = ? AND token = ?`, runId, id, token);
  return found !== null;
}

function changeWaits(database: Database, runId: string, { waits, at }: Suspension): void {
  for (const wait of waits?.open ?? [])
    insertWait(database, runId, { ...wait, ending: null, answeredBy: null, endedAt: null });
  for (const id of waits?.over ?? []) endOverdue(database, runId, { id, at });
}

const GONE = JSON.stringify({ kind: "over", gone: true });

/** What a stopped branch asked is asked no more, until a retry comes to it again. */
function forgetOthers(database: Database, runId: string, asked: readonly string[], at: number): void {
  const ids = JSON.stringify(asked);
  database.run(
    `UPDATE waits SET ending = ?, ended_at = ? WHERE run_id = ? AND ending IS NULL
       AND id NOT IN (SELECT value FROM json_each(?))`,
    ...[GONE, at, runId, ids],
  );
  database.run(
    `UPDATE waits SET ending = NULL, ended_at = NULL WHERE run_id = ? AND ending = ?
       AND id IN (SELECT value FROM json_each(?))`,
    ...[runId, GONE, ids],
  );
}

function endOverdue(
  database: Database,
  runId: string,
  { id, at }: { readonly id: string; readonly at: number },
): void {
  database.run(
    "UPDATE waits SET ending = ?, ended_at = ? WHERE run_id = ? AND id = ? AND ending IS NULL",
    ...[JSON.stringify({ kind: "over" }), at, runId, id],
  );
}

/** The run waits, with what it has come to. */
export function putToSleep(database: Database, runId: string, end: Suspension): void {
  const { status, due } = asleep(database, runId, end);
  database.run(
    `UPDATE runs SET status = ?, owner = NULL, due = ?, started = ifnull(started, created), suspended = ?, worked = ?,
       held = NULL WHERE run_id = ?`,
    ...[status, due, end.at, end.worked, runId],
  );
  keepEnd(database, runId, end);
}

/** A wait that ended behind the leg's back is news: the run goes on at once. */
function asleep(
  database: Database,
  runId: string,
  { at, seen }: { readonly at: number; readonly seen: ReadonlySet<string> },
): { readonly status: RunStatus; readonly due: number } {
  const ended = database.all(
    "SELECT id FROM waits WHERE run_id = ? AND ending IS NOT NULL AND ending <> ?",
    ...[runId, GONE],
  );
  if (ended.some(({ id }) => !seen.has(String(id)))) return { status: "queued", due: at };
  const row = database.first(
    `SELECT min(ifnull((SELECT min(until_at) FROM waits WHERE run_id = runs.run_id AND ending IS NULL), ?),
       ifnull(deadline, ?)) AS due FROM runs WHERE run_id = ?`,
    ...[NEVER, NEVER, runId],
  );
  return { status: "waiting", due: Number(row?.["due"]) };
}

function keepEnd(database: Database, runId: string, { result, steps, events }: LegEnd): void {
  for (const step of steps) insertStep(database, runId, step, { token: "end", again: "IGNORE" });
  database.run(`UPDATE run_values SET result = ? WHERE run = ${N}`, column(result), runId);
  addEvents(database, runId, events);
}

/** What the leg had come to when its run was cancelled. */
function keepResultOfCancelled(
  database: Database,
  { runId, epoch }: Lease,
  { result, erase = false, worked }: LegEnd & { readonly erase?: boolean },
): void {
  const changed = database.run(
    "UPDATE runs SET worked = ? WHERE run_id = ? AND epoch = ? AND status = 'cancelled'",
    ...[worked, runId, epoch + 1],
  );
  if (changed === 0) return;
  database.run(`UPDATE run_values SET result = ? WHERE run = ${N} AND result IS NULL`, column(result), runId);
  if (erase) eraseValues(database, runId);
}
