import { setTimeout as sleep } from "node:timers/promises";
import type { DurableExecutor } from "../../durable/executor.js";
import { resultOf } from "../../durable/kept-result.js";
import type { EventRow } from "../../durable/rows.js";
import { hasEnded } from "../../runs/describe-run.js";
import { describeResult } from "../../runs/result.js";
import type { WorkflowEvent } from "../../runs/stream.js";
import { describeEvent, type SentEvent } from "../request/event-stream.js";

const POLL_MS = 25;
const LONGEST_POLL_MS = 250;

export interface Told {
  readonly executor: Pick<DurableExecutor, "events" | "get">;
  readonly runId: string;
  /** The number of the last event that is known already. */
  readonly after: number;
  /** True when nobody reads any more, or the service stops. */
  readonly isOver: () => boolean;
  /** Resolves when whoever asked stays no longer. Without it the end of the run ends the events. */
  readonly until?: Promise<unknown>;
  /** What only a traced run tells of a visit. */
  readonly traced?: (row: EventRow) => object;
}

/** The events of a run as they are stored, whoever works on it. */
export async function* storedEvents(told: Told): AsyncGenerator<SentEvent, undefined> {
  const { executor, runId, until } = told;
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  until?.then(settle, settle);
  let wait = POLL_MS;
  for (let last = told.after; !told.isOver(); ) {
    // Looked at first: what is stored afterwards is read in the next round.
    const isLastLook = isSettled || (until === undefined && (await isAtEnd(told)));
    const rows = await executor.events(runId, { after: last, limit: 500 });
    for (const row of rows) yield await sentOf(told, row);
    last = rows.at(-1)?.n ?? last;
    if (rows.length > 0) wait = POLL_MS;
    else if (isLastLook) return;
    else {
      await Promise.race([
        sleep(wait, undefined, { ref: false }),
        ...(until === undefined ? [] : [until]),
      ]).catch(() => {});
      wait = Math.min(wait * 2, LONGEST_POLL_MS);
    }
  }
}

/** A run that has ended tells nothing more, unless it is retried. */
async function isAtEnd({ executor, runId }: Told): Promise<boolean> {
  const run = await executor.get(runId);
  return run === null || hasEnded(run);
}

async function sentOf({ executor, runId, traced }: Told, row: EventRow): Promise<SentEvent> {
  const { n: id, type } = row;
  if (type === "run_end") {
    const run = await executor.get(runId);
    const result = run === null ? null : describeResult(resultOf(run));
    return { id, type, data: { run_id: runId, result } };
  }
  return { id, type, data: { ...dataOf(runId, row), ...traced?.(row) } };
}

function dataOf(runId: string, { type, event, at }: EventRow): object {
  if (type === "node_start" || type === "node_retry" || type === "node_end")
    return describeEvent({ ...(event as object), runId } as WorkflowEvent);
  const { type: _, ...about } = event as { readonly [key: string]: unknown };
  return { run_id: runId, ...about, at: new Date(at).toISOString() };
}
