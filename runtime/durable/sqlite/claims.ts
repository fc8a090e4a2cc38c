import type { Lease } from "../rows.js";
import type { Claimed, Claiming, DurableStore } from "../store.js";
import { FULL_RUN, fullRun } from "./columns.js";
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
    const limit = claiming.limits?.[one.run.graph];
    if (limit !== undefined && atWork(database, one.run.graph) >= limit) full.add(one.run.graph);
  }
  return claimed;
}

/** The claim of one run at its start, unless its graph is at its limit. */
export function claimNew(
  database: Database,
  { runId, graph }: { readonly runId: string; readonly graph: string },
  { owner, limits, now }: Pick<Claiming, "owner" | "limits" | "now">,
): Lease | null {
  if (fullGraphs(database, limits).includes(graph)) return null;
  return take(database, { runId, owner, now }).lease;
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
  const row = database.first(
    `SELECT ${FULL_RUN} FROM runs JOIN run_values USING (run_id) WHERE run_id = ?`,
    runId,
  );
  const run = fullRun(row ?? {});
  return { lease: { runId, owner, epoch: run.epoch }, run };
}

function fullGraphs(database: Database, limits: Claiming["limits"] = {}): readonly string[] {
  return Object.entries(limits)
    .filter(([graph, limit]) => atWork(database, graph) >= limit)
    .map(([graph]) => graph);
}

const atWork = (database: Database, graph: string): number =>
  Number(
    database.first("SELECT n FROM run_counts WHERE graph = ? AND status = 'running'", graph)?.["n"] ?? 0,
  );
