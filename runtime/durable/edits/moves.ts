import type { AnyGraph, Json } from "../../graph/contract/contract.js";
import { CONTRACT } from "../../graph/contract/define.js";
import { versionOf } from "../../graph/link/fingerprint.js";
import { hasJournal } from "../legs/asleep.js";
import { eventOf } from "../legs/told-events.js";
import type { RunRow, RunStatus } from "../rows.js";
import type { DurableStore, RowQuery } from "../store.js";
import { fitOf } from "./fits.js";

/** How an open run stands to its graph as it now is. */
export interface RunFit {
  readonly runId: string;
  readonly graph: string;
  /** The version that the run goes on with. */
  readonly from: string;
  /** Null when there is no such graph any more, and when its sheet has errors. */
  readonly to: string | null;
  /** There is no such graph any more. */
  readonly isGone?: true;
  readonly fits: boolean;
  /** Null when it fits. */
  readonly why: string | null;
  readonly node: string | null;
  /** Nodes that were called with other inputs or another prompt. What they gave stays. */
  readonly reworded: readonly string[];
  /** It waits in a file of an earlier version, which goes on only with the sheet as it was. */
  readonly isFile?: true;
}

/** Where runs may be moved to. */
export interface MoveTarget {
  readonly graph: AnyGraph;
  /** Relative to the project's folder. */
  readonly sheet: string | null;
  /** What another process needs to open it. */
  readonly texts: () => Json;
}

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "stuck"];
const PAGE = 200;

/** The open runs that a query finds. */
export async function openRuns(store: DurableStore, query: RowQuery): Promise<readonly RunRow[]> {
  const found: RunRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const more = cursor === undefined ? {} : { cursor };
    const page = await store.list({ status: OPEN, limit: PAGE, ...query, ...more });
    found.push(...page.runs);
    cursor = page.cursor;
  }
  return found;
}

export const staysFor = (
  run: RunRow,
  why: string,
  to: string | null,
  node: string | null = null,
): RunFit => ({
  ...{ runId: run.runId, graph: run.graph, from: run.version, to },
  ...{ fits: false, why, node, reworded: [] },
});

/** Whether a run could go on in a graph. */
export async function holdAgainst(
  store: DurableStore,
  graph: AnyGraph,
  row: RunRow,
  redact?: (text: string) => string,
): Promise<RunFit> {
  const to = versionOf(graph);
  const { runId } = row;
  const [run, steps, waits] = await Promise.all([store.run(runId), store.steps(runId), store.waits(runId)]);
  if (run === null) return staysFor(row, "it is gone", to);
  if (!hasJournal(run)) return staysFor(row, "it was kept only when it began to wait, without a history", to);
  if (row.contract !== CONTRACT) return staysFor(row, "another version of flowsheet began it", to);
  const fit = await fitOf(graph, { run, steps, waits }, redact);
  if (!fit.fits) return staysFor(row, fit.why, to, fit.node);
  const { graph: name, version: from } = row;
  return { ...{ runId, graph: name, from, to }, fits: true, why: null, node: null, reworded: fit.reworded };
}

/** The open runs of other versions of a graph, held against this one. */
export async function checkRuns(store: DurableStore, graph: AnyGraph): Promise<readonly RunFit[]> {
  const version = versionOf(graph);
  const fits: RunFit[] = [];
  for (const run of await openRuns(store, { graphs: [graph.name] }))
    if (run.version !== version) fits.push(await holdAgainst(store, graph, run));
  return fits;
}

const REFUSED: { readonly [S in RunStatus]?: string } = {
  running: "it is at work",
  stuck: "it is stuck",
  completed: "it has ended",
  failed: "it has ended",
  cancelled: "it has ended",
};

/** Pins a queued or waiting run to a graph as it now is, when its journal fits. */
export async function moveRun(
  store: DurableStore,
  { graph, sheet, texts }: MoveTarget,
  run: RunRow,
  { dryRun = false, redact }: { readonly dryRun?: boolean; readonly redact?: (text: string) => string } = {},
): Promise<RunFit> {
  const to = versionOf(graph);
  const refused = REFUSED[run.status];
  if (refused !== undefined) return staysFor(run, refused, to);
  const fit = await holdAgainst(store, graph, run, redact);
  if (!fit.fits || dryRun || run.version === to) return fit;
  const at = Date.now();
  const version = {
    ...{ version: to, graph: graph.name, sheet, contract: CONTRACT },
    texts: texts(),
    seen: at,
  };
  const events = [eventOf("run_moved", { from: run.version, to })];
  const moved = await store.move(run.runId, version, { at, events, epoch: run.epoch });
  return moved?.version === to ? fit : staysFor(run, "it has gone on meanwhile", to);
}
