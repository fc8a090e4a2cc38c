import { FULL_RUN, fullRun, type Row, versionRow } from "../read-rows.js";
import type { FullRun, NewRun } from "../rows.js";
import type { DurableStore, Started, StartMore } from "../store.js";
import { StoreError } from "../store-error.js";
import type { Database, Statements } from "./connect.js";
import { isFull } from "./legs/claims.js";
import { putToSleep } from "./legs/legs.js";
import { keepVersion, NEWEST_FIRST } from "./versions.js";
import { insertRun, insertWaits, marked, RUNS_WITH_VALUES, type RunParts, unmarked } from "./writes.js";

type Starts = Pick<DurableStore, "start" | "version" | "versionsOf">;

export const starts = (database: Database): Starts => ({
  start: async (run, more = {}) =>
    (isPlain(run, more) ? await startAtOnce(database, run, more) : null) ??
    database.transaction((statements) => startIn(statements, run, more)),
  version: async (version) => {
    const row = await database.first("SELECT * FROM flowsheet.versions WHERE version = ?", version);
    return row === null ? null : versionRow(row);
  },
  versionsOf: async (graph) => {
    const sql = `SELECT * FROM flowsheet.versions WHERE graph = ? ${NEWEST_FIRST}`;
    return (await database.all(sql, graph)).map(versionRow);
  },
});

/** Nothing else belongs to its start. */
const isPlain = ({ graph }: NewRun, { claim, waits, asleep }: StartMore): boolean =>
  waits === undefined && asleep === undefined && claim?.limits?.[graph] === undefined;

/** One statement, when the version is kept already. Null when it is not, or when the run is there. */
async function startAtOnce(statements: Statements, run: NewRun, more: StartMore): Promise<Started | null> {
  const { claim, texts } = more;
  if (texts === undefined) return null;
  const owner = claim?.owner ?? null;
  const begun = await insertRun(statements, run, { owner, ...partsOf(run, more), isOfKnownVersion: true });
  return begun === null ? null : startedNow(begun, owner);
}

async function startIn(statements: Statements, run: NewRun, more: StartMore): Promise<Started> {
  const { claim, texts, waits, asleep } = more;
  const { runId } = run;
  const owner =
    claim === undefined || (await isFull(statements, run.graph, claim.limits)) ? null : claim.owner;
  const begun = await insertRun(statements, run, { owner, ...partsOf(run, more) });
  if (begun === null) return startedBefore(statements, run, more);
  if (texts === undefined) await findParent(statements, run);
  else await keepVersion(statements, { ...run, seen: run.created }, texts);
  if (waits !== undefined) await insertWaits(statements, { where: "run_id = ?", values: [runId] }, waits);
  if (asleep !== undefined) await putToSleep(statements, runId, { ...asleep, seen: new Set() });
  return startedNow(begun, owner);
}

const partsOf = ({ runId }: NewRun, { steps = [], events = [] }: StartMore): RunParts => ({
  steps: marked(steps, runId),
  events: unmarked(events),
});

const startedNow = (run: FullRun, owner: string | null): Started => ({
  ...{ created: true, run },
  lease: owner === null ? null : { runId: run.runId, owner, epoch: 1 },
});

/** Ids are chosen by chance: the same one again is the same call, whose acknowledgement was lost. */
async function startedBefore(statements: Statements, asked: NewRun, { claim }: StartMore): Promise<Started> {
  const row = await runLike(statements, asked);
  // It was forgotten in this moment. Whoever insists begins it.
  if (row === null) throw new StoreError("store_busy", `the run ${asked.runId} was begun and forgotten`);
  const run = fullRun(row);
  const created = run.runId === asked.runId;
  const isMine = created && run.status === "running" && run.epoch === 1 && run.owner === claim?.owner;
  return { created, run, lease: isMine ? { runId: run.runId, owner: run.owner ?? "", epoch: 1 } : null };
}

/** The run of this id, or of this key. */
async function runLike(statements: Statements, { runId, key, graph, userId }: NewRun): Promise<Row | null> {
  const select = `SELECT ${FULL_RUN} FROM ${RUNS_WITH_VALUES} WHERE`;
  return (
    (await statements.first(`${select} run_id = ?`, runId)) ??
    (key === null
      ? null
      : statements.first(
          `${select} key = ? AND graph = ? AND coalesce(user_id, '') = ?`,
          ...[key, graph, userId ?? ""],
        ))
  );
}

/** The version of a fork is kept as long as its parent, which may have been forgotten meanwhile. */
async function findParent(statements: Statements, { parent }: NewRun): Promise<void> {
  if (parent === null) return;
  const sql = "SELECT 1 FROM flowsheet.runs WHERE run_id = ? FOR KEY SHARE";
  if ((await statements.first(sql, parent.runId)) !== null) return;
  throw new StoreError("run_not_found", `no run has the id ${JSON.stringify(parent.runId)}`);
}
