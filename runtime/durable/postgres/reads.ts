import { eventRow, FULL_RUN, fitting, fullRun, stepRow, waitRow } from "../read-rows.js";
import type { WaitRow } from "../rows.js";
import type { DurableStore, StepPage, StepQuery } from "../store.js";
import type { Database } from "./connect.js";
import { N, RUNS_WITH_VALUES } from "./writes.js";

type Reads = Pick<
  DurableStore,
  "run" | "idsFrom" | "steps" | "stepsFrom" | "waits" | "openWaits" | "events" | "lastEvent" | "stats"
>;

/** A wait of a run that has ended is not open. */
const OPEN_WAITS = `flowsheet.waits JOIN flowsheet.runs USING (run_id)
  WHERE ending IS NULL AND status IN ('queued', 'running', 'waiting', 'stuck')`;

export const reads = (database: Database, counts: DurableStore["counts"]): Reads => ({
  run: async (runId) => {
    const row = await database.first(`SELECT ${FULL_RUN} FROM ${RUNS_WITH_VALUES} WHERE run_id = ?`, runId);
    return row === null ? null : fullRun(row);
  },
  // A range, since LIKE would read every id.
  idsFrom: async (prefix, limit) => {
    const rows = await database.all(
      "SELECT run_id FROM flowsheet.runs WHERE run_id >= ? AND run_id < ? ORDER BY run_id LIMIT ?",
      ...[prefix, `${prefix}\u{10ffff}`, limit],
    );
    return rows.map((row) => String(row["run_id"]));
  },
  steps: async (runId) =>
    (await database.all(`SELECT * FROM flowsheet.steps WHERE run = ${N} ORDER BY seq`, runId)).map(stepRow),
  stepsFrom: (runId, query) => stepsFrom(database, runId, query),
  waits: async (runId) =>
    (await database.all("SELECT * FROM flowsheet.waits WHERE run_id = ? ORDER BY seq, id", runId)).map(
      waitRow,
    ),
  openWaits: async (runIds) => openWaitsOf(database, runIds),
  events: async (runId, { after = 0, limit = null } = {}) => {
    const rows = await database.all(
      `SELECT * FROM flowsheet.events WHERE run = ${N} AND n > ? ORDER BY n LIMIT ?`,
      ...[runId, after, limit],
    );
    return rows.map(eventRow);
  },
  lastEvent: async (runId) => {
    const row = await database.first(`SELECT max(n) AS n FROM flowsheet.events WHERE run = ${N}`, runId);
    return Number(row?.["n"] ?? 0);
  },
  stats: async (now) => {
    const first = await database.first(
      `SELECT (SELECT opened FROM ${OPEN_WAITS} ORDER BY opened LIMIT 1) AS opened,
         (SELECT count(*) FROM flowsheet.runs WHERE status = 'queued' AND due <= ?) AS due`,
      now,
    );
    const oldest = first?.["opened"] ?? null;
    return {
      counts: await counts({}),
      oldestWait: oldest === null ? null : Number(oldest),
      due: Number(first?.["due"]),
    };
  },
});

/** Values are large: how large they are is looked at before they are read. */
async function stepsFrom(database: Database, runId: string, query: StepQuery): Promise<StepPage> {
  const found = await database.all(
    `SELECT seq, ${["result", "seen", "writes"].map((one) => `coalesce(octet_length(${one}), 0)`).join(" + ")} AS bytes
       FROM flowsheet.steps WHERE run = ${N} AND seq > ? ORDER BY seq LIMIT ?`,
    ...[runId, query.after, query.limit + 1],
  );
  const { count, last } = fitting(found, query);
  const rows = await database.all(
    `SELECT * FROM flowsheet.steps WHERE run = ${N} AND seq > ? AND seq <= ? ORDER BY seq`,
    ...[runId, query.after, last],
  );
  return { steps: rows.map(stepRow), isLast: count === found.length };
}

async function openWaitsOf(
  database: Database,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WaitRow[]>> {
  const found = new Map<string, WaitRow[]>(runIds.map((runId) => [runId, []]));
  const rows = await database.all(
    `SELECT waits.* FROM ${OPEN_WAITS} AND run_id = ANY(?::text[]) ORDER BY seq, id`,
    runIds,
  );
  for (const row of rows) found.get(String(row["run_id"]))?.push(waitRow(row));
  return found;
}
