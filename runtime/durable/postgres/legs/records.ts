import type { Kept, LegRecord } from "../../legs/leg-store.js";
import type { Lease, StepRow } from "../../rows.js";
import type { DurableStore } from "../../store.js";
import { isOfStore } from "../../store-error.js";
import type { Database } from "../connect.js";
import { AlreadyThere } from "../refusals.js";
import { changeRun, HELD, heldBy, marked, N, stepValues } from "../writes.js";
import type { Lanes } from "./lanes.js";

/** Records of one lease that wait for their turn, together. */
interface Batch {
  readonly lease: Lease;
  readonly records: readonly LegRecord[];
  /** Of the lane: whatever came behind the batch has another one. */
  readonly end: Promise<void> | undefined;
  readonly kept: Promise<readonly PromiseSettledResult<Kept>[]>;
  readonly add: (record: LegRecord) => void;
}

/** So many records share a statement. */
const MOST = 100;

/** A record is one statement. Those that come while one is on its way share the next one. */
export function records(database: Database, lanes: Lanes): Pick<DurableStore, "record"> {
  const waiting = new Map<string, Batch>();
  const begin = (lease: Lease, first: LegRecord): Batch => {
    const all = [first];
    const kept = lanes.in(lease.runId, () => {
      waiting.delete(lease.runId);
      return writeAll(database, lease, all);
    });
    const batch = { lease, records: all, kept, end: lanes.endOf(lease.runId) };
    return { ...batch, add: (record) => void all.push(record) };
  };
  const joined = (lease: Lease): Batch | null => {
    const batch = waiting.get(lease.runId);
    const isLast = batch !== undefined && batch.end === lanes.endOf(lease.runId);
    if (!isLast || batch.records.length >= MOST) return null;
    return batch.lease.epoch === lease.epoch && batch.lease.owner === lease.owner ? batch : null;
  };
  return {
    record: async (lease, record) => {
      const known = joined(lease);
      known?.add(record);
      const isFree = lanes.endOf(lease.runId) === undefined;
      const batch = known ?? begin(lease, record);
      const index = batch.records.indexOf(record);
      if (known === null && !isFree) waiting.set(lease.runId, batch);
      const kept = (await batch.kept)[index];
      if (kept?.status !== "fulfilled") throw kept?.reason;
      return kept.value;
    },
  };
}

/** What one of them asks wrongly must not undo the others. */
async function writeAll(
  database: Database,
  lease: Lease,
  all: readonly LegRecord[],
): Promise<readonly PromiseSettledResult<Kept>[]> {
  if (all.length > 1 && (await areWritten(database, lease, all)))
    return all.map(() => ({ status: "fulfilled", value: "kept" }));
  const kept: PromiseSettledResult<Kept>[] = [];
  for (const record of all) kept.push(...(await Promise.allSettled([writeOne(database, lease, record)])));
  return kept;
}

async function writeOne(database: Database, lease: Lease, record: LegRecord): Promise<Kept> {
  try {
    if (await write(database, lease, [record])) return "kept";
  } catch (error) {
    if (!(error instanceof AlreadyThere) || !(await isRecorded(database, lease, record))) throw error;
  }
  // The mark of the record, or one of its steps, was there: its acknowledgement was lost.
  const held = await database.first(`SELECT 1 FROM flowsheet.runs WHERE ${HELD}`, ...heldBy(lease));
  return held === null ? "lost" : "kept";
}

/** False when they must be written one by one. */
async function areWritten(database: Database, lease: Lease, all: readonly LegRecord[]): Promise<boolean> {
  try {
    return await write(database, lease, all);
  } catch (error) {
    // One of them is the reason, unless it is the store itself.
    if (isOfStore(error)) throw error;
    return false;
  }
}

async function isRecorded(
  database: Database,
  { runId }: Lease,
  { steps, token }: LegRecord,
): Promise<boolean> {
  const sql = `SELECT 1 FROM flowsheet.steps WHERE run = ${N} AND id = ? AND token = ?`;
  return (await database.first(sql, runId, steps[0]?.id ?? null, token)) !== null;
}

/** So few events are given to the server's own function, which finds each of them from the first one on. */
const FEW = 8;

/** Nearly all records are so. */
async function writeStep(
  database: Database,
  { runId, owner, epoch }: Lease,
  { step, events, token }: Omit<LegRecord, "steps"> & { readonly step: StepRow },
): Promise<boolean> {
  const values = stepValues({ step, token });
  const told = events.flatMap(({ at, type, event }) => [Math.round(at), type, JSON.stringify(event)]);
  const row = await database.first(
    `WITH written AS (SELECT flowsheet.record(?, ?, ?, ${values.map(() => "?").join(", ")}, ?::text[]) AS n)
       SELECT n FROM written WHERE n IS NOT NULL`,
    ...[runId, owner, epoch, ...values, told],
  );
  return row !== null;
}

/** A record is repeated at once: among so many events it is found, without reading all of a long run. */
const LATELY = 1_000;
const IS_NEW = `NOT EXISTS (SELECT 1 FROM flowsheet.events
  WHERE run = runs.n AND events.n > runs.events - ${LATELY} AND events.token = ANY (?::text[]))`;

/**
 * One statement under the lease. The row of the run keeps the mark of the last record: that row is locked, so a
 * record that is repeated while the first try is still on its way is noticed, too.
 */
function write(database: Database, lease: Lease, all: readonly LegRecord[]): Promise<boolean> {
  const [first, ...others] = all;
  const [step, ...more] = first?.steps ?? [];
  if (first !== undefined && step !== undefined && others.length + more.length === 0)
    if (first.events.length <= FEW) return writeStep(database, lease, { ...first, step });
  const last = all.at(-1)?.token ?? "";
  // Steps carry the token, when there are any.
  const alone = all.filter(({ steps }) => steps.length === 0).map(({ token }) => token);
  return changeRun(database, {
    set: "token = ?",
    where: `${HELD} AND token IS DISTINCT FROM ?${alone.length === 0 ? "" : ` AND ${IS_NEW}`}`,
    values: [last, ...heldBy(lease), last, ...(alone.length === 0 ? [] : [alone])],
    steps: all.flatMap(({ steps, token }) => marked(steps, token)),
    events: all.flatMap(({ steps, events, token }) =>
      events.map((event) => ({ event, token: steps.length === 0 ? token : null })),
    ),
  });
}
