import type { Lease, RunStatus } from "../rows.js";
import type { DurableStore, Kept, LegEnd, LegRecord, Recorded } from "../store.js";
import { column, waitRow } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { addEvents, eraseValues, forgetRun, insertStep, insertWait, lastEvent, NEVER } from "./rows.js";

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
  endWait: (lease, id, { kind, at }) =>
    sure((database) => {
      if (!isHeld(database, lease)) return null;
      database.run(
        "UPDATE waits SET ending = ?, ended_at = ? WHERE run_id = ? AND id = ? AND ending IS NULL",
        ...[JSON.stringify({ kind }), at, lease.runId, id],
      );
      return waitOf(database, lease.runId, id);
    }),
  suspend: (lease, end) =>
    sure((database) => {
      if (!isHeld(database, lease)) return wasEndedBy(database, lease, ["waiting", "queued"]);
      const { status, due } = asleep(database, lease.runId, end);
      database.run(
        `UPDATE runs SET status = ?, owner = NULL, due = ?, suspended = ?, worked = ?, held = NULL WHERE run_id = ?`,
        ...[status, due, end.at, end.worked, lease.runId],
      );
      return keepEnd(database, lease, end);
    }),
  finish: (lease, end) =>
    sure((database) => {
      if (!isHeld(database, lease)) {
        keepResultOfCancelled(database, lease, end);
        return end.forget === true && statusOf(database, lease) === null
          ? "kept"
          : wasEndedBy(database, lease, [end.status]);
      }
      database.run(
        `UPDATE runs SET status = ?, owner = NULL, ended = ?, worked = ?, error_code = ?, held = NULL WHERE run_id = ?`,
        ...[end.status, end.at, end.worked, end.errorCode, lease.runId],
      );
      keepEnd(database, lease, end);
      if (end.erase === true) eraseValues(database, lease.runId);
      if (end.forget === true) forgetRun(database, lease.runId);
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

const isHeld = (database: Database, { runId, owner, epoch }: Lease): boolean =>
  database.first(
    "SELECT 1 FROM runs WHERE run_id = ? AND owner = ? AND epoch = ? AND status = 'running'",
    ...[runId, owner, epoch],
  ) !== null;

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

function recordIn(database: Database, lease: Lease, { steps, events, token }: LegRecord): Recorded {
  const { runId } = lease;
  if (!isHeld(database, lease)) return { kept: false };
  if (isRecorded(database, runId, steps.at(-1)?.id, token))
    return { kept: true, lastEvent: lastEvent(database, runId) };
  for (const step of steps) insertStep(database, runId, step, { token });
  // The steps carry the token, when there are any.
  return { kept: true, lastEvent: addEvents(database, runId, events, steps.length === 0 ? token : null) };
}

/** A record is repeated at once: among so many events it is found, without reading all of a long run. */
const LATELY = 1_000;

/** True when the same record was kept before: its acknowledgement was lost. */
function isRecorded(database: Database, runId: string, id: string | undefined, token: string): boolean {
  const found =
    id === undefined
      ? database.first(
          "SELECT 1 FROM events WHERE run_id = ? AND n > ? AND token = ?",
          runId,
          lastEvent(database, runId) - LATELY,
          token,
        )
      : database.first("SELECT 1 FROM steps WHERE run_id = ? AND id = ? AND token = ?", runId, id, token);
  return found !== null;
}

/** A wait that ended behind the leg's back is news: the run goes on at once. */
function asleep(
  database: Database,
  runId: string,
  { at, seen }: { readonly at: number; readonly seen: ReadonlySet<string> },
): { readonly status: RunStatus; readonly due: number } {
  const ended = database.all("SELECT id FROM waits WHERE run_id = ? AND ending IS NOT NULL", runId);
  if (ended.some(({ id }) => !seen.has(String(id)))) return { status: "queued", due: at };
  const row = database.first(
    `SELECT min(ifnull((SELECT min(until_at) FROM waits WHERE run_id = runs.run_id AND ending IS NULL), ?),
       ifnull(deadline, ?)) AS due FROM runs WHERE run_id = ?`,
    ...[NEVER, NEVER, runId],
  );
  return { status: "waiting", due: Number(row?.["due"]) };
}

function keepEnd(database: Database, { runId }: Lease, { result, steps, events }: LegEnd): Kept {
  for (const step of steps) insertStep(database, runId, step, { token: "end", again: "IGNORE" });
  database.run("UPDATE run_values SET result = ? WHERE run_id = ?", column(result), runId);
  addEvents(database, runId, events);
  return "kept";
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
  database.run("UPDATE run_values SET result = ? WHERE run_id = ? AND result IS NULL", column(result), runId);
  if (erase) eraseValues(database, runId);
}
