import { setTimeout as sleep } from "node:timers/promises";
import type { DurableExecutor } from "../../durable/executor.js";
import { resultOf } from "../../durable/kept-result.js";
import type { EventRow } from "../../durable/rows.js";
import { StoreError } from "../../durable/store-error.js";
import { lazily } from "../../lazy.js";
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

/** What goes on when the store can be used again. */
export function nullWhileAway(error: unknown): null {
  if (error instanceof StoreError && error.code === "store_unwritable") return null;
  throw error;
}

/** The events of a run as they are stored, whoever works on it. */
export async function* storedEvents(told: Told): AsyncGenerator<SentEvent, undefined> {
  const { until } = told;
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  until?.then(settle, settle);
  const timed = {
    ...told,
    began: lazily(async () => (await told.executor.get(told.runId))?.created ?? null),
  };
  let wait = POLL_MS;
  for (let last = told.after; !told.isOver(); ) {
    const looked = lookFor(timed, last, isSettled);
    // Whoever stays until the end of the run stays while the store is away, too.
    const found = await (until === undefined ? looked.catch(nullWhileAway) : looked);
    for (const event of found?.events ?? []) yield event;
    last = found?.last ?? last;
    if (found !== null && found.events.length > 0) wait = POLL_MS;
    else if (found?.isLast === true) return;
    else {
      await Promise.race([
        sleep(wait, undefined, { ref: false }),
        ...(until === undefined ? [] : [until]),
      ]).catch(() => {});
      wait = Math.min(wait * 2, LONGEST_POLL_MS);
    }
  }
}

interface Look {
  readonly events: readonly SentEvent[];
  readonly last: number;
  readonly isLast: boolean;
}

/** With when the run began. */
interface Timed extends Told {
  readonly began: () => Promise<number | null>;
}

async function lookFor(told: Timed, after: number, isSettled: boolean): Promise<Look> {
  const { executor, runId, until } = told;
  // Looked at first: what is stored afterwards is read in the next round.
  const isLast = isSettled || (until === undefined && (await isAtEnd(told)));
  const rows = await executor.events(runId, { after, limit: 500 });
  const events: SentEvent[] = [];
  for (const row of rows) events.push(await sentOf(told, row));
  return { events, last: rows.at(-1)?.n ?? after, isLast };
}

/** A run that has ended tells nothing more, unless it is retried. */
async function isAtEnd({ executor, runId }: Told): Promise<boolean> {
  const run = await executor.get(runId);
  return run === null || hasEnded(run);
}

async function sentOf({ executor, runId, traced, began }: Timed, row: EventRow): Promise<SentEvent> {
  const { n: id, type } = row;
  if (type === "run_end") {
    const run = await executor.get(runId);
    const result = run === null ? null : describeResult(resultOf(run));
    return { id, type, data: { run_id: runId, result } };
  }
  return { id, type, data: { ...dataOf(runId, row), ...(await timeIn(row, began)), ...traced?.(row) } };
}

const isOfNode = (type: string): boolean =>
  type === "node_start" || type === "node_retry" || type === "node_end";

/** Since the run began, so that it can be drawn. The other events have their time. */
async function timeIn({ type, at }: EventRow, began: Timed["began"]): Promise<object> {
  const start = isOfNode(type) ? await began() : null;
  return start === null ? {} : { at_ms: Math.max(0, at - start) };
}

function dataOf(runId: string, { type, event, at }: EventRow): object {
  if (isOfNode(type)) return describeEvent({ ...(event as object), runId } as WorkflowEvent);
  const { type: _, ...about } = event as { readonly [key: string]: unknown };
  return { run_id: runId, ...about, at: new Date(at).toISOString() };
}
