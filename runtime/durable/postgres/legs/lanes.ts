/**
 * What one process does with one run happens in the order of its calls, although there are several connections.
 * Otherwise records would overtake each other, and a replay would tell results in another order.
 */
export class Lanes {
  readonly #ends = new Map<string, Promise<void>>();

  /** Begins when the calls before it have ended, whatever became of them. */
  in<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(runId);
    const result = before === undefined ? work() : before.then(work);
    const leave = (): void => {
      if (this.#ends.get(runId) === end) this.#ends.delete(runId);
    };
    const end: Promise<void> = result.then(leave, leave);
    this.#ends.set(runId, end);
    return result;
  }

  /** When the last call for the run that is known now has ended. */
  endOf(runId: string): Promise<void> | undefined {
    return this.#ends.get(runId);
  }
}
