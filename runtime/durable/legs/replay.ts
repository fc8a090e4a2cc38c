/** So many turns of the event loop without a request mean that nothing is left to ask for. */
const QUIET = 2;

interface Asked {
  readonly seq: number;
  readonly give: () => void;
}

/**
 * Gives recorded values in the order of their record. Without this order, a replay could tell another one of several
 * failures. The next of the record is given at once; any other one waits its turn of the event loop.
 */
export class Replay {
  private readonly order: readonly number[];
  /** The index of the first recorded value that was not given yet. */
  private first = 0;
  /** Values behind it that were. */
  private readonly given = new Set<number>();
  private readonly asked: Asked[] = [];
  private readonly waiting: (() => void)[] = [];
  private isTurning = false;
  private quiet = 0;

  constructor(order: readonly number[]) {
    this.order = order;
  }

  /** The recorded value with this number. */
  give<T>(seq: number, value: T): T | Promise<T> {
    if (seq !== this.order[this.first] || this.asked.some((other) => other.seq < seq))
      return this.answer(seq, value);
    this.pass(seq);
    // Those who wait for the end of the replay wait longer.
    this.quiet = 0;
    return value;
  }

  /** A value that has no record of its own. */
  answer<T>(seq: number, value: T): Promise<T> {
    return new Promise((resolve) => {
      this.asked.push({ seq, give: () => resolve(value) });
      this.begin();
    });
  }

  /** Resolves when nothing that is asked for is left to replay: only then anything new may begin. */
  async ended(): Promise<void> {
    if (this.first === this.order.length && this.asked.length === 0) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.begin();
    });
  }

  private pass(seq: number): void {
    this.given.add(seq);
    for (let next = this.order[this.first]; next !== undefined && this.given.delete(next); )
      next = this.order[++this.first];
  }

  private begin(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    this.quiet = 0;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    const next = this.takeLowest();
    this.quiet = next === undefined ? this.quiet + 1 : 0;
    if (next !== undefined) this.pass(next.seq);
    next?.give();
    if (this.quiet < QUIET) {
      setImmediate(() => this.turn());
      return;
    }
    this.isTurning = false;
    for (const go of this.waiting.splice(0)) go();
  }

  /** Few are asked for at a time: one for each branch and item at work. */
  private takeLowest(): Asked | undefined {
    const { asked } = this;
    const lowest = asked.reduce((low, { seq }, index) => (seq < asked[low]!.seq ? index : low), 0);
    return asked.splice(lowest, 1)[0];
  }
}
