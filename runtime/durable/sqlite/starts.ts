import type { NewRun, VersionRow } from "../rows.js";
import type { DurableStore, Started, StartMore } from "../store.js";
import { isFull } from "./claims.js";
import { FULL_RUN, fullRun, RUNS_WITH_VALUES, versionRow } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import type { Row } from "./driver.js";
import { putToSleep } from "./legs.js";
import { addEvents, insertRun, insertStep, insertWait } from "./writes.js";

type Starts = Pick<DurableStore, "start" | "keepVersion" | "version" | "versionsOf">;

export const starts = ({ sure }: Commits, reader: Database): Starts => ({
  start: (run, more = {}) => sure((database) => startIn(database, run, more)),
  keepVersion: (version) => sure((database) => keepVersionIn(database, version)),
  version: async (version) => {
    const row = reader.first("SELECT * FROM versions WHERE version = ?", version);
    return row === null ? null : versionRow(row);
  },
  versionsOf: async (graph) =>
    reader.all("SELECT * FROM versions WHERE graph = ? ORDER BY seen DESC", graph).map(versionRow),
});

function startIn(database: Database, run: NewRun, more: StartMore): Started {
  const { claim } = more;
  const owner = claim === undefined || isFull(database, run.graph, claim.limits) ? null : claim.owner;
  const begun = insertRun(database, run, owner);
  if (begun === null) return startedBefore(runLike(database, run) ?? {}, run, more);
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

function keepVersionIn(database: Database, version: VersionRow): void {
  const { graph, sheet, contract, texts, seen } = version;
  database.run(
    `INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen,
       texts = CASE texts WHEN 'null' THEN excluded.texts ELSE texts END`,
    ...[version.version, graph, sheet, contract, JSON.stringify(texts), seen],
  );
}
