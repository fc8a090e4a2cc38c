import type { SentEvent } from "../../http/request/event-stream.js";
import type { Caller } from "../../http/run-access.js";

/** What happened. What a reader is told of it depends on what the reader may see: null for nothing. */
export interface Happening {
  readonly type: "sheet" | "world" | "generated" | "run" | "waits";
  readonly tell: (reader: Caller) => object | null | Promise<object | null>;
}

interface Kept extends Happening {
  readonly id: number;
}

/** So many are kept for readers that come back. */
const KEPT = 500;

/**
 * The latest happenings, for many readers at their own pace. A reader who missed some is told `resync`, and reads all
 * anew.
 */
export class Hub {
  #kept: readonly Kept[] = [];
  /** Numbers of another start mean nothing here: each start counts from its own time on. */
  #last = Date.now() * 1_000;
  #wake: () => void = () => {};
  #next = this.#newNext();

  add(happening: Happening): void {
    this.#last++;
    this.#kept = [...this.#kept, { ...happening, id: this.#last }].slice(-KEPT);
    const wake = this.#wake;
    this.#next = this.#newNext();
    wake();
  }

  /** Nobody knows what happens from now on until somebody reads again. */
  forget(): void {
    this.#kept = [];
    this.#last++;
  }

  /** `after` is the number of the last event that the reader has; null for a new reader. */
  async *read(
    reader: Caller,
    after: number | null,
    isOver: () => boolean,
  ): AsyncGenerator<SentEvent, undefined> {
    let seen = after ?? this.#last;
    while (!isOver()) {
      const next = this.#next;
      if (!this.#isKnown(seen)) {
        seen = this.#last;
        yield { id: seen, type: "resync", data: {} };
      }
      for (const one of this.#kept) {
        if (one.id <= seen) continue;
        seen = one.id;
        const data = await one.tell(reader);
        if (data !== null) yield { id: one.id, type: one.type, data };
        // Others may have been dropped in the meantime.
        break;
      }
      if (seen === this.#last) await next;
    }
  }

  /** Makes all readers look whether they are over. */
  stir(): void {
    const wake = this.#wake;
    this.#next = this.#newNext();
    wake();
  }

  #isKnown(seen: number): boolean {
    const oldest = this.#kept[0]?.id ?? this.#last + 1;
    return seen <= this.#last && seen >= oldest - 1;
  }

  #newNext(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
