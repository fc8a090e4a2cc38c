import type { Result, RunEvent, RunStream, StateData } from "../contract/contract.js";
import { PathOrder } from "./path-order.js";

export interface StreamHooks {
  readonly on: (event: RunEvent) => void;
  readonly onSettled: (branch: readonly number[]) => void;
}

/** Starts a run and yields its events in the order of its path. The run does not wait for the reader. */
export function createStream(
  start: (hooks: StreamHooks) => Promise<Result<StateData>>,
): RunStream<StateData> {
  const queue = new EventQueue<RunEvent>();
  const order = new PathOrder((event) => queue.push(event));
  const result = start({
    on: (event) => {
      if (event.type === "run_end") {
        order.end();
        queue.push(event);
      } else order.push(event);
    },
    onSettled: (branch) => order.settle(branch),
  });
  result.then(
    () => queue.close(),
    (error: unknown) => queue.fail(error),
  );
  return { result, [Symbol.asyncIterator]: () => queue };
}

type Told<E> = IteratorResult<E, undefined>;

interface Reader<E> {
  readonly resolve: (told: Told<E>) => void;
  readonly reject: (thrown: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;

/** A queue of events that wait for readers, or of readers that wait for events. */
export class EventQueue<E> implements AsyncIterator<E, undefined> {
  readonly #events: E[] = [];
  readonly #readers: Reader<E>[] = [];
  #closed = false;
  #error: { readonly thrown: unknown } | null = null;

  push(event: E): void {
    if (this.#closed) return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#events.push(event);
    else reader.resolve({ done: false, value: event });
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers.splice(0)) reader.resolve(DONE);
  }

  /** The first reader after the last event gets the error. Later readers get the end. */
  fail(thrown: unknown): void {
    if (this.#closed) return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#error = { thrown };
    else reader.reject(thrown);
    this.close();
  }

  async next(): Promise<Told<E>> {
    const value = this.#events.shift();
    if (value !== undefined) return { done: false, value };
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error.thrown;
    if (this.#closed) return DONE;
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  async return(): Promise<Told<E>> {
    this.#events.length = 0;
    this.#error = null;
    this.close();
    return DONE;
  }
}
