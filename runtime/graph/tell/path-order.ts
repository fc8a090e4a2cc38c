import type { RunEvent } from "../contract/contract.js";

type NodeEvent = Exclude<RunEvent, { readonly type: "run_end" }>;

/** One line of a run: what it told and may not be passed on yet. */
interface Told {
  /** All that comes before it in the path has been passed on. */
  live: boolean;
  settled: boolean;
  held: NodeEvent[];
  /** The branches of the split that is under way, by index. */
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
 * Puts events in the order of the path: all of the first branch of a split, then all of the next, each event as
 * soon as nothing can come before it any more.
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

  /** Nothing more comes from this branch. */
  settle(branch: readonly number[]): void {
    const parent = this.#find(branch.slice(0, -1));
    const line = this.#find(branch);
    this.#closeSplit(line);
    line.settled = true;
    if (parent.live) this.#advance(parent);
  }

  /** Passes on all that is held. */
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

  /** The branches go no further: what they hold follows what their line has told so far. */
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

  /** Lets the first branch that has not settled speak, after all before it. */
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
