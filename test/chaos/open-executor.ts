import { DurableExecutor } from "../../runtime/durable/executor.js";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { host } from "../../runtime/host.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { openAt } from "../durable/open-at.js";
import { again } from "./again.js";

export interface ChaosOptions {
  readonly deadAfterMs: number;
  /** Processes are not looked up, as in another container: who beats no more is dead. */
  readonly isApart: boolean;
  readonly graphOf: (name: string) => AnyGraph;
  readonly recorded: (runId: string, ids: readonly string[]) => void;
}

/** An executor whose runs name their piece as their sheet. */
export async function openExecutor(
  place: string,
  { deadAfterMs, isApart, graphOf, recorded }: ChaosOptions,
): Promise<DurableExecutor> {
  const store = await again(() => (place.startsWith("postgres:") ? openPostgresStore(place) : openAt(place)));
  const record: DurableStore["record"] = async (lease, steps) => {
    const kept = await store.record(lease, steps);
    if (kept === "kept")
      recorded(
        lease.runId,
        steps.steps.flatMap(({ id, pure }) => (pure ? [] : [id])),
      );
    return kept;
  };
  const isLate = (_owner: string, seen: number | null): boolean => Date.now() - (seen ?? 0) > deadAfterMs;
  const sweep: DurableStore["sweep"] = (sweeping) =>
    store.sweep(isApart ? { ...sweeping, isGone: isLate } : sweeping);
  return new DurableExecutor({
    store: { ...store, record, sweep },
    graphs: {
      open: async ({ sheet }) => ({
        graph: graphOf(sheet ?? ""),
        options: { log: { debug() {}, info() {}, warn() {}, error: console.error } },
        describe: (result) => toWorkflowResult(result, () => null) as unknown as Json,
      }),
    },
    settings: {
      ...{ concurrency: 10, limits: {}, recoveries: 1_000, deadAfterMs },
      ...{ record: "full", erase: false, forget: () => false },
    },
    host,
    // A database that is away is a part of the trial.
    log: { warn: place.startsWith("postgres:") ? () => {} : console.warn, error: console.error },
    redact: (text) => text,
  });
}
