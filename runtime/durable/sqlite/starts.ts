import { FULL_RUN, fullRun, type Row, versionRow } from "../read-rows.js";
import type { NewRun } from "../rows.js";
import type { DurableStore, Started, StartMore } from "../store.js";
import { StoreError } from "../store-error.js";
import { isFull } from "./claims.js";
import { RUNS_WITH_VALUES } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { putToSleep } from "./legs.js";
import { keepVersion, NEWEST_FIRST } from "./versions.js";
import { addEvents, insertRun, insertStep, insertWait } from "./writes.js";

type Starts = Pick<DurableStore, "start" | "version" | "versionsOf">;

export const starts = ({ sure }: Commits, reader: Database): Starts => ({
  start: (run, more = {}) => sure((database) => startIn(database, run, more)),
  version: async (version) => {
    const row = reader.first("SELECT * FROM versions WHERE version = ?", version);
    return row === null ? null : versionRow(row);
  },
  versionsOf: async (graph) =>
    reader.all(`SELECT * FROM versions WHERE graph = ? ${NEWEST_FIRST}`, graph).map(versionRow),
});

function startIn(database: Database, run: NewRun, more: StartMore): Started {
  const { claim } = more;
  const owner = claim === undefined || isFull(database, run.graph, claim.limits) ? null : claim.owner;
  const begun = insertRun(database, run, owner);
  if (begun === null) return startedBefore(runLike(database, run) ?? {}, run, more);
  if (more.texts === undefined) findParent(database, run);
  else keepVersion(database, { ...run, seen: run.created }, more.texts);
  for (const step of more.steps ?? []) insertStep(database, run.runId, step, { token: run.runId });
  for (const wait of more.waits ?? []) insertWait(database, run.runId, wait);
  addEvents(database, run.runId, more.events ?? []);
  if (more.asleep !== undefined) putToSleep(database, run.runId, { ...more.asleep, seen: new Set() });
  return { created: true, run: begun, lease: owner === null ? null : { runId: run.runId, owner, epoch: 1 } };
}

/** The run of this id, or of this key. */
export function runLike(database: Database, { runId, key, graph, userId }: NewRun): Row | null {
  const select = `SELECT ${FULL_RUN} FROM ${RUNS_WITH_VALUES} WHERE`;
  return (
    database.first(`${select} run_id = ?`, runId) ??
    (key === null
      ? null
      : database.first(
          `${select} key = ? AND graph = ? AND ifnull(user_id, '') = ?`,
          ...[key, graph, userId ?? ""],
        ))
  );
}

/** Ids are chosen by chance: the same one again is the same call, whose acknowledgement was lost. */
function startedBefore(row: Row, { runId }: NewRun, { claim }: StartMore): Started {
  const run = fullRun(row);
  const created = run.runId === runId;
  const isMine = created && run.status === "running" && run.epoch === 1 && run.owner === claim?.owner;
  return { created, run, lease: isMine ? { runId, owner: run.owner ?? "", epoch: 1 } : null };
}

/** The version of a fork is kept as long as its parent, which may have been forgotten meanwhile. */
function findParent(database: Database, { parent }: NewRun): void {
  if (parent === null || database.first("SELECT 1 FROM runs WHERE run_id = ?", parent.runId) !== null) return;
  throw new StoreError("run_not_found", `no run has the id ${JSON.stringify(parent.runId)}`);
}
