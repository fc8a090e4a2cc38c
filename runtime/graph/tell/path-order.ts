import type { RunEvent } from "../contract/contract.js";

type NodeEvent = Exclude<RunEvent, { readonly type: "run_end" }>;

/** The events of one line that must wait for earlier ones. */
interface Told {
  /** Everything before it in the path has been emitted, so its events need not wait. */
  live: boolean;
  settled: boolean;
  held: NodeEvent[];
  /** The branches of the open split, by index. */
  branches: Map<number, Told>;
  /** The first branch that has not settled. */
  current: number;
}

const newTold = (live: boolean): Told => ({
  live,
  settled: false,
  held: [],
  branches: new Map(),
  current: 0,
});

/**
 * Sorts events into the order of the path: the whole first branch of a split, then the next one. Each event is
 * emitted as soon as no earlier one can come.
 */
export class PathOrder {
  readonly #root = newTold(true);
  readonly #emit: (event: NodeEvent) => void;

  constructor(emit: (event: NodeEvent) => void) {
    this.#emit = emit;
  }

  push(event: NodeEvent): void {
    const line = this.#find(event.branch);
    this.#closeSplit(line);
    if (line.live) this.#emit(event);
    else line.held.push(event);
  }

  /** Called when a branch emits nothing more. */
  settle(branch: readonly number[]): void {
    const parent = this.#find(branch.slice(0, -1));
    const line = this.#find(branch);
    this.#closeSplit(line);
    line.settled = true;
    if (parent.live) this.#advance(parent);
  }

  /** Emits all events that still wait. */
  end(): void {
    this.#closeSplit(this.#root);
  }

  #find(branch: readonly number[]): Told {
    let line = this.#root;
    for (const index of branch) {
      let inner = line.branches.get(index);
      if (inner === undefined) {
        inner = newTold(line.live && line.current === index);
        line.branches.set(index, inner);
      }
      line = inner;
    }
    return line;
  }

  /** The branches have ended. Their waiting events follow those of their line. */
  #closeSplit(line: Told): void {
    if (line.branches.size === 0) return;
    for (const [, branch] of [...line.branches].sort(([a], [b]) => a - b)) {
      this.#closeSplit(branch);
      for (const event of branch.held) {
        if (line.live) this.#emit(event);
        else line.held.push(event);
      }
    }
    line.branches.clear();
    line.current = 0;
  }

  /** Makes the first unsettled branch live, after all branches before it. */
  #advance(line: Told): void {
    for (;;) {
      const branch = line.branches.get(line.current);
      if (branch === undefined) return;
      if (!branch.live) this.#release(branch);
      if (!branch.settled) return;
      line.current += 1;
    }
  }

  #release(line: Told): void {
    line.live = true;
    for (const event of line.held) this.#emit(event);
    line.held = [];
    this.#advance(line);
  }
}
