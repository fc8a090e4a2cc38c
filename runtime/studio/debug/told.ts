import type { SentEvent } from "../../http/request/event-stream.js";

/** So many events are kept for a reader that comes back. */
const MOST = 500;
/** A reader looks so often whether it is to end. */
const LOOK_MS = 500;

/** What a debugger has told, for those who read it now or later. */
export class Told {
  #events: SentEvent[] = [];
  #last = 0;
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  /** Nothing is told after the last event. */
  add(type: string, data: object, isLast: boolean): void {
    this.#events.push({ id: ++this.#last, type, data });
    if (this.#events.length > MOST) this.#events = this.#events.slice(-MOST);
    this.#isOver ||= isLast;
    for (const stir of this.#waiting) stir();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The events behind one, and those that come, until the last. */
  async *read(after: number, mustEnd: () => boolean): AsyncGenerator<SentEvent, undefined> {
    let last = after;
    while (!mustEnd()) {
      const next = this.#events.filter(({ id = 0 }) => id > last);
      for (const event of next) {
        yield event;
        last = event.id ?? last;
      }
      if (next.length > 0) continue;
      if (this.#isOver) return;
      await this.#stirred();
    }
  }

  #stirred(): Promise<void> {
    return new Promise((resolve) => {
      const stir = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(stir);
        resolve();
      };
      const timer = setTimeout(stir, LOOK_MS).unref();
      this.#waiting.add(stir);
    });
  }
}
