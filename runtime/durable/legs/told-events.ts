import type { Json, RunEvent, WaitingFor } from "../../graph/contract/contract.js";
import { redactData } from "../../graph/tell/redact.js";
import type { NewEvent } from "../rows.js";

type VisitEvent = Exclude<RunEvent, { readonly type: "run_end" }>;

/**
 * The events of a leg, on their way to the store. A replay tells again what earlier legs have told: such events are
 * counted off, and go nowhere.
 */
export class ToldEvents {
  readonly #earlier = new Map<string, number>();
  #pending: NewEvent[] = [];

  constructor(earlier: readonly Json[]) {
    for (const event of earlier) {
      const key = keyOf(event as unknown as VisitEvent);
      this.#earlier.set(key, (this.#earlier.get(key) ?? 0) + 1);
    }
  }

  /** False for an event of a replay. */
  take(event: VisitEvent): boolean {
    const key = keyOf(event);
    const left = this.#earlier.get(key) ?? 0;
    if (left > 0) this.#earlier.set(key, left - 1);
    else if (event.parent === undefined) this.#pending.push(rowOf(event));
    return left === 0;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** What is to be written with the next record. */
  flush(): readonly NewEvent[] {
    const flushed = this.#pending;
    this.#pending = [];
    return flushed;
  }

  /** After a record that failed. */
  putBack(events: readonly NewEvent[]): void {
    this.#pending.unshift(...events);
  }
}

function keyOf(event: VisitEvent): string {
  const attempt = "attempt" in event ? event.attempt : 0;
  // A visit that waits ends twice: when it falls asleep, and with its answer.
  const isAsleep = event.type === "node_end" && event.outcome === "waiting";
  return `${event.type}|${event.node}|${event.visit}|${attempt}|${isAsleep}`;
}

/** Without what only a trace tells: steps keep inputs, prompts and writes. */
function rowOf(event: VisitEvent): NewEvent {
  const { inputs, prompt, writes, next, runId, ...told } = event as VisitEvent & { [key: string]: unknown };
  return { at: Date.now(), type: event.type, event: told as Json };
}

export const eventOf = (type: string, about: { readonly [key: string]: Json } = {}): NewEvent => ({
  at: Date.now(),
  type,
  event: { type, ...about },
});

/** The questions that a run waits for, without secrets. */
export function waitEvent(
  waiting: readonly WaitingFor[],
  redact: ((text: string) => string) | null,
): NewEvent {
  const about = waiting.map(({ node, field, prompt, options }) => ({ node, field, prompt, options }));
  return eventOf("run_wait", { waiting: (redact === null ? about : redactData(about, redact)) as Json });
}
