import type { Result, RunEvent, RunStream, StateData } from "./contract.js";
import { PathOrder } from "./path-order.js";

export interface StreamHooks {
  readonly on: (event: RunEvent) => void;
  readonly onSettled: (branch: readonly number[]) => void;
}

/** Starts a run and gives its events one by one, in the order of its path. The run does not wait for its reader. */
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

/** Events that wait for their reader, or a reader that waits for events. */
export class EventQueue<E> implements AsyncIterator<E, undefined> {
  readonly #events: E[] = [];
  #closed = false;
  #error: { readonly thrown: unknown } | null = null;
  #wake: (() => void) | null = null;

  push(event: E): void {
    if (this.#closed) return;
    this.#events.push(event);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  fail(thrown: unknown): void {
    this.#error = { thrown };
    this.close();
  }

  async next(): Promise<IteratorResult<E, undefined>> {
    while (this.#events.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#events.shift();
    if (value !== undefined) return { done: false, value };
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error.thrown;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<E, undefined>> {
    this.#events.length = 0;
    this.#closed = true;
    return { done: true, value: undefined };
  }
}
