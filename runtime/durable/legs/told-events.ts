import type { Json, RunEvent, WaitingFor } from "../../graph/contract/contract.js";
import { redactData } from "../../graph/tell/redact.js";
import type { NewEvent } from "../rows.js";

type VisitEvent = Exclude<RunEvent, { readonly type: "run_end" }>;

/**
 * The events of a leg, on their way to the store. A replay tells again what earlier legs have told: such events go
 * nowhere. As a rule it tells them in the same order; where branches ran side by side, they are counted off.
 */
export class ToldEvents {
  readonly #earlier: readonly VisitEvent[];
  /** The first of them that was not told again. */
  #next = 0;
  #counts: Map<string, number> | null = null;
  #pending: NewEvent[] = [];

  constructor(earlier: readonly Json[]) {
    const ofVisits = (event: { readonly type: string }): boolean => event.type.startsWith("node_");
    this.#earlier = (earlier as unknown as readonly VisitEvent[]).filter(ofVisits);
  }

  /** False for an event of a replay. */
  take(event: VisitEvent): boolean {
    // What a sub-graph tells is not kept.
    if (event.parent !== undefined) return true;
    if (this.#isAgain(event)) return false;
    this.#pending.push(rowOf(event));
    return true;
  }

  #isAgain(event: VisitEvent): boolean {
    const next = this.#earlier[this.#next];
    if (next === undefined) return false;
    if (this.#counts === null && isSame(next, event)) {
      this.#next += 1;
      return true;
    }
    this.#counts ??= countsOf(this.#earlier.slice(this.#next));
    const key = keyOf(event);
    const left = this.#counts.get(key) ?? 0;
    if (left > 0) this.#counts.set(key, left - 1);
    return left > 0;
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

const attemptOf = (event: VisitEvent): number => ("attempt" in event ? event.attempt : 0);

/** A visit that waits ends twice: when it falls asleep, and with its answer. */
const fallsAsleep = (event: VisitEvent): boolean => event.type === "node_end" && event.outcome === "waiting";

const isSame = (one: VisitEvent, other: VisitEvent): boolean =>
  one.type === other.type &&
  one.node === other.node &&
  one.visit === other.visit &&
  attemptOf(one) === attemptOf(other) &&
  fallsAsleep(one) === fallsAsleep(other);

const keyOf = (event: VisitEvent): string =>
  `${event.type}|${event.node}|${event.visit}|${attemptOf(event)}|${fallsAsleep(event)}`;

function countsOf(events: readonly VisitEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of events.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
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
