import type { Claimed, Claiming } from "../legs/leg-store.js";
import { FULL_RUN, fullRun } from "../read-rows.js";
import type { DurableStore } from "../store.js";
import { RUNS_WITH_VALUES } from "./columns.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";

/** Takes due runs. Reading first: a worker that finds nothing takes no lock. */
export const claims = ({ fast }: Commits, reader: Database): Pick<DurableStore, "claim"> => ({
  claim: async (claiming) =>
    nextDue(reader, claiming, []) === null ? [] : fast((database) => claimIn(database, claiming)),
});

function claimIn(database: Database, claiming: Claiming): readonly Claimed[] {
  const full = new Set(fullGraphs(database, claiming.limits));
  const claimed: Claimed[] = [];
  while (claimed.length < claiming.limit) {
    const runId = nextDue(database, claiming, [...full]);
    if (runId === null) break;
    const one = take(database, { runId, owner: claiming.owner, now: claiming.now });
    claimed.push(one);
    if (isFull(database, one.run.graph, claiming.limits)) full.add(one.run.graph);
  }
  return claimed;
}

/** Whether as many runs of a graph are at work as may be. */
export function isFull(database: Database, graph: string, limits: Claiming["limits"] = {}): boolean {
  const limit = limits[graph];
  return limit !== undefined && atWork(database, graph) >= limit;
}

function nextDue(database: Database, claiming: Claiming, full: readonly string[]): string | null {
  const { now, contract, runId, graphs } = claiming;
  const row =
    runId === undefined
      ? database.first(
          `SELECT run_id FROM runs INDEXED BY runs_due WHERE status IN ('queued', 'waiting') AND due <= ?
             AND contract = ? AND graph NOT IN (SELECT value FROM json_each(?))
             AND (? IS NULL OR graph IN (SELECT value FROM json_each(?))) ORDER BY due LIMIT 1`,
          ...[
            now,
            contract,
            JSON.stringify(full),
            graphs === undefined ? null : 1,
            JSON.stringify(graphs ?? []),
          ],
        )
      : database.first(
          `SELECT run_id FROM runs WHERE run_id = ? AND status IN ('queued', 'waiting') AND due <= ?
             AND contract = ? AND graph NOT IN (SELECT value FROM json_each(?))`,
          ...[runId, now, contract, JSON.stringify(full)],
        );
  return row === null ? null : String(row["run_id"]);
}

function take(
  database: Database,
  { runId, owner, now }: { readonly runId: string; readonly owner: string; readonly now: number },
): Claimed {
  database.run(
    `UPDATE runs SET status = 'running', owner = ?, epoch = epoch + 1, started = ifnull(started, ?), held = NULL
       WHERE run_id = ?`,
    ...[owner, now, runId],
  );
  const row = database.first(`SELECT ${FULL_RUN} FROM ${RUNS_WITH_VALUES} WHERE run_id = ?`, runId);
  const run = fullRun(row ?? {});
  return { lease: { runId, owner, epoch: run.epoch }, run };
}

function fullGraphs(database: Database, limits: Claiming["limits"] = {}): readonly string[] {
  return Object.keys(limits).filter((graph) => isFull(database, graph, limits));
}

const atWork = (database: Database, graph: string): number =>
  Number(
    database.first("SELECT sum(n) AS n FROM run_counts WHERE graph = ? AND status = 'running'", graph)?.["n"],
  );
