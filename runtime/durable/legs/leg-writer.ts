import { randomUUID } from "node:crypto";
import type { Json, RunEvent } from "../../graph/contract/contract.js";
import { insist } from "../insist.js";
import type { Lease, NewEvent, StepRow } from "../rows.js";
import type { DurableStore } from "../store.js";
import type { NewStep } from "./journal.js";
import type { KeptJournal } from "./leg-store.js";
import { ToldEvents } from "./told-events.js";

/** The lease is lost: somebody else has the run, or it was cancelled. */
export class Lost extends Error {}

export interface LegWriterOptions {
  readonly store: Pick<DurableStore, "record">;
  readonly lease: Lease;
  /** Time at work until now, over all legs. */
  readonly worked: () => number;
  readonly isStopped: () => boolean;
  /** Stops the leg, and gives what it is stopped with. */
  readonly lost: () => Lost;
}

/** What one leg records: steps in the order of their numbers, with the events that were told before. */
export class LegWriter {
  readonly #options: LegWriterOptions;
  #told = new ToldEvents([]);
  #flushed: Promise<void> = Promise.resolve();
  #seq = 0;

  constructor(options: LegWriterOptions) {
    this.#options = options;
  }

  /** Goes on behind what earlier legs have written. */
  follow({ steps, events }: Pick<KeptJournal, "steps" | "events">): void {
    this.#told = new ToldEvents(events);
    this.#seq = steps.at(-1)?.seq ?? 0;
  }

  /** The number of the last step. */
  get seq(): number {
    return this.#seq;
  }

  /** False for what was told before. */
  hear(event: Exclude<RunEvent, { readonly type: "run_end" }>): boolean {
    return this.#told.take(event);
  }

  /** The events that no record has taken. */
  take(): readonly NewEvent[] {
    return this.#told.flush();
  }

  rows(steps: readonly NewStep[]): readonly StepRow[] {
    const worked = Math.round(this.#options.worked());
    return steps.map(({ id, pure, node, visit, attempt, branch, began, ended, outcome, ...values }) => {
      const { result, writes, error } = values;
      const [seq, seen] = [++this.#seq, values.seen as unknown as Json];
      const about = { id, seq, pure, node, visit, attempt, branch, began, ended, outcome };
      return { ...about, result, seen, writes, error, worked };
    });
  }

  record(steps: readonly NewStep[]): Promise<void> {
    return this.#write(this.rows(steps), this.#told.flush());
  }

  /** Resolves when what was told before is written. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#flushNow());
    return this.#flushed;
  }

  async #flushNow(): Promise<void> {
    if (!this.#told.hasPending || this.#options.isStopped()) return;
    const events = this.#told.flush();
    // A failure shows with the next record.
    await this.#write([], events).catch(() => this.#told.putBack(events));
  }

  async #write(steps: readonly StepRow[], events: readonly NewEvent[]): Promise<void> {
    const { store, lease, lost } = this.#options;
    const record = { steps, events, token: randomUUID() };
    const kept = await insist(() => store.record(lease, record));
    if (kept === "lost") throw lost();
  }
}
