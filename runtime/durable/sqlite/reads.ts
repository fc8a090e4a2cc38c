import { eventRow, FULL_RUN, fitting, fullRun, stepRow, waitRow } from "../read-rows.js";
import type { RunStatus, WaitRow } from "../rows.js";
import type { DurableStore, StepPage, StepQuery } from "../store.js";
import { N, RUNS_WITH_VALUES } from "./columns.js";
import type { Database } from "./database.js";

type Reads = Pick<
  DurableStore,
  "run" | "idsFrom" | "steps" | "stepsFrom" | "waits" | "openWaits" | "events" | "lastEvent" | "stats"
>;

/** A wait of a run that has ended is not open. */
const OPEN_WAITS = `waits JOIN runs USING (run_id)
  WHERE ending IS NULL AND status IN ('queued', 'running', 'waiting', 'stuck')`;

export const reads = (reader: Database): Reads => ({
  run: async (runId) => {
    const row = reader.first(`SELECT ${FULL_RUN} FROM ${RUNS_WITH_VALUES} WHERE run_id = ?`, runId);
    return row === null ? null : fullRun(row);
  },
  // A range, since LIKE would read every id.
  idsFrom: async (prefix, limit) =>
    reader
      .all(
        "SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ? ORDER BY run_id LIMIT ?",
        ...[prefix, `${prefix}\u{10ffff}`, limit],
      )
      .map((row) => String(row["run_id"])),
  steps: async (runId) => reader.all(`SELECT * FROM steps WHERE run = ${N} ORDER BY seq`, runId).map(stepRow),
  stepsFrom: async (runId, query) => stepsFrom(reader, runId, query),
  waits: async (runId) =>
    reader.all("SELECT * FROM waits WHERE run_id = ? ORDER BY seq, id", runId).map(waitRow),
  openWaits: async (runIds) => openWaitsOf(reader, runIds),
  events: async (runId, { after = 0, limit = -1 } = {}) =>
    reader
      .all(`SELECT * FROM events WHERE run = ${N} AND n > ? ORDER BY n LIMIT ?`, runId, after, limit)
      .map(eventRow),
  lastEvent: async (runId) =>
    Number(reader.first(`SELECT max(n) AS n FROM events WHERE run = ${N}`, runId)?.["n"] ?? 0),
  stats: async (now) => {
    const counts: { [S in RunStatus]?: number } = {};
    for (const { status, n } of reader.all(
      "SELECT status, sum(n) AS n FROM run_counts GROUP BY status HAVING sum(n) > 0",
    ))
      counts[String(status) as RunStatus] = Number(n);
    const oldest = reader.first(`SELECT min(opened) AS opened FROM ${OPEN_WAITS}`)?.["opened"] ?? null;
    const due = reader.first("SELECT count(*) AS n FROM runs WHERE status = 'queued' AND due <= ?", now)?.[
      "n"
    ];
    return { counts, oldestWait: oldest === null ? null : Number(oldest), due: Number(due) };
  },
});

/** Values are large: how large they are is looked at before they are read. */
function stepsFrom(reader: Database, runId: string, { after, limit, bytes }: StepQuery): StepPage {
  const found = reader.all(
    `SELECT seq, ifnull(octet_length(result), 0) + ifnull(octet_length(seen), 0) + ifnull(octet_length(writes), 0) AS bytes
       FROM steps WHERE run = ${N} AND seq > ? ORDER BY seq LIMIT ?`,
    ...[runId, after, limit + 1],
  );
  const { count, last } = fitting(found, { after, limit, bytes });
  const rows = reader.all(
    `SELECT * FROM steps WHERE run = ${N} AND seq > ? AND seq <= ? ORDER BY seq`,
    ...[runId, after, last],
  );
  return { steps: rows.map(stepRow), isLast: count === found.length };
}

function openWaitsOf(reader: Database, runIds: readonly string[]): ReadonlyMap<string, readonly WaitRow[]> {
  const found = new Map<string, WaitRow[]>(runIds.map((runId) => [runId, []]));
  const rows = reader.all(
    `SELECT waits.* FROM ${OPEN_WAITS} AND run_id IN (SELECT value FROM json_each(?)) ORDER BY seq, id`,
    JSON.stringify(runIds),
  );
  for (const row of rows) found.get(String(row["run_id"]))?.push(waitRow(row));
  return found;
}
