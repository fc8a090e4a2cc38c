import type { RunRow, RunStatus, WaitRow } from "../../durable/rows.js";
import { isServed } from "../../http/routes/served-runs.js";
import { type Caller, viewOf } from "../../http/run-access.js";
import type { Service } from "../../http/service.js";
import type { KeptRuns } from "../../runs/kept/kept-runs.js";
import type { Hub } from "./hub.js";

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "stuck"];
const ALL: readonly RunStatus[] = [...OPEN, "completed", "failed", "cancelled"];
/** Runs that begin and end between two looks are among the newest. */
const NEWEST = 100;
const MOST_OPEN = 1_000;

interface Seen {
  readonly run: RunRow;
  readonly waits: readonly WaitRow[];
}

/** Runs are looked up, since other processes work on them, too. The first look tells nothing. */
export function createRunWatch(service: Service, hub: Hub): { readonly look: () => Promise<void> } {
  let before: ReadonlyMap<string, Seen> | null = null;
  let waiting: readonly Seen[] = [];
  const tellWaits = (reader: Caller): object => ({
    count: waiting.filter(({ run, waits }) => isSeen(reader, run, waits)).length,
  });
  return {
    look: async () => {
      const kept = await service.runner.kept();
      const now = kept === null ? new Map<string, Seen>() : await look(kept, before ?? new Map());
      const changed = [...now.values()].filter(({ run }) => isNews(run, before?.get(run.runId)));
      const waits = [...now.values()].filter(({ run }) => run.status === "waiting");
      const isOther = idsOf(waits) !== idsOf(waiting);
      waiting = waits;
      const isFirst = before === null;
      before = now;
      if (isFirst) return;
      for (const { run, waits } of changed)
        hub.add({
          type: "run",
          tell: (reader) => (isSeen(reader, run, waits) ? { run_id: run.runId, status: run.status } : null),
        });
      if (isOther) hub.add({ type: "waits", tell: tellWaits });
    },
  };
}

const isNews = (run: RunRow, known: Seen | undefined): boolean => known?.run.status !== run.status;

/** A run that was answered may wait again, for another answer. */
const idsOf = (seen: readonly Seen[]): string =>
  seen.flatMap(({ run, waits }) => [run.runId, ...waits.map(({ id }) => id)]).join();

const isSeen = (reader: Caller, run: RunRow, waits: readonly WaitRow[]): boolean =>
  isServed(reader, run) && viewOf(reader, run, { waits }) !== null;

/** The newest runs, those that are open, and those that were at the last look. */
async function look(
  { executor }: KeptRuns,
  before: ReadonlyMap<string, Seen>,
): Promise<ReadonlyMap<string, Seen>> {
  const newest = await executor.list({ status: ALL, limit: NEWEST });
  const open = await executor.list({ status: OPEN, limit: MOST_OPEN });
  const rows = new Map([...newest.runs, ...open.runs].map((run) => [run.runId, run]));
  for (const { run } of before.values()) {
    if (rows.has(run.runId) || !OPEN.includes(run.status)) continue;
    const ended = await executor.get(run.runId);
    if (ended !== null) rows.set(run.runId, ended);
  }
  const asking = [...rows.values()].filter(({ status }) => OPEN.includes(status)).map(({ runId }) => runId);
  const waits =
    asking.length === 0 ? new Map<string, readonly WaitRow[]>() : await executor.store.openWaits(asking);
  return new Map(
    [...rows].map(([id, run]) => [id, { run, waits: waits.get(id) ?? before.get(id)?.waits ?? [] }]),
  );
}
