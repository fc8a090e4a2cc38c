import { createDigraph, type Digraph } from "../flow/digraph.js";
import type { FlowSystem } from "./set-flow.js";

interface TrackedField {
  readonly writers: readonly number[];
  readonly isError: boolean;
}

/** The limit of 32-bit words in one bit set: large enough for few passes, small enough for memory. */
const MOST_WORDS = 32;

type Visit = (first: number, count: number, unset: (field: number, slot: number) => boolean) => void;

/**
 * Calls `visit` for each chunk of up to 1,024 fields with a test of where a field may be unset.
 * Computes the least fixpoint over bit sets. Sets only grow, and most slots change once or twice.
 */
export function solveUnset(system: FlowSystem, fields: readonly TrackedField[], visit: Visit): void {
  if (fields.length === 0) return;
  const words = Math.min(MOST_WORDS, Math.ceil(fields.length / 32));
  const solver = new Solver(system, words);
  for (let first = 0; first < fields.length; first += words * 32) {
    const chunk = fields.slice(first, first + words * 32);
    const state = solver.solve(chunk);
    visit(first, chunk.length, (field, slot) => {
      const bit = field - first;
      return (((state[slot * words + (bit >> 5)] as number) >>> (bit & 31)) & 1) === 1;
    });
  }
}

class Solver {
  readonly #words: number;
  readonly #arcTo: Int32Array;
  readonly #arcWrites: Int32Array;
  readonly #arcError: Uint8Array;
  readonly #outgoing: Digraph;
  /** The slots that a join intersects, and the joins that depend on a slot. */
  readonly #joined: Digraph;
  readonly #joins: Digraph;
  readonly #state: Int32Array;
  readonly #written: Int32Array;
  readonly #errors: Int32Array;
  readonly #queued: Uint8Array;
  #queue: number[] = [];

  constructor({ nodes, slots, arcs, joins }: FlowSystem, words: number) {
    this.#words = words;
    this.#arcTo = new Int32Array(arcs.length);
    this.#arcWrites = new Int32Array(arcs.length);
    this.#arcError = new Uint8Array(arcs.length);
    const from = new Int32Array(arcs.length);
    arcs.forEach((arc, i) => {
      from[i] = arc.from;
      this.#arcTo[i] = arc.to;
      this.#arcWrites[i] = arc.writes;
      this.#arcError[i] = arc.error ? 1 : 0;
    });
    this.#outgoing = createDigraph(slots, { from, to: Int32Array.from(arcs.keys()) });
    const join: number[] = [];
    const branch: number[] = [];
    for (const { slot, of } of joins) {
      for (const one of of) {
        join.push(slot);
        branch.push(one);
      }
    }
    this.#joined = createDigraph(slots, { from: join, to: branch });
    this.#joins = createDigraph(slots, { from: branch, to: join });
    this.#state = new Int32Array(slots * words);
    this.#written = new Int32Array(nodes * words);
    this.#errors = new Int32Array(words);
    this.#queued = new Uint8Array(slots);
  }

  /** The next call overwrites the result. */
  solve(chunk: readonly TrackedField[]): Int32Array {
    this.#prepare(chunk);
    this.#queue = [0];
    this.#queued[0] = 1;
    for (let head = 0; head < this.#queue.length; head++) {
      const slot = this.#queue[head] as number;
      this.#queued[slot] = 0;
      this.#meet(slot);
      const { start, to } = this.#outgoing;
      for (let i = start[slot] as number; i < (start[slot + 1] as number); i++)
        this.#flow(slot, to[i] as number);
      const { start: first, to: join } = this.#joins;
      for (let i = first[slot] as number; i < (first[slot + 1] as number); i++)
        this.#enqueue(join[i] as number);
    }
    return this.#state;
  }

  #prepare(chunk: readonly TrackedField[]): void {
    this.#state.fill(0);
    this.#written.fill(0);
    this.#errors.fill(0);
    chunk.forEach(({ writers, isError }, bit) => {
      const word = bit >> 5;
      const mask = 1 << (bit & 31);
      this.#state[word]! |= mask;
      if (isError) this.#errors[word]! |= mask;
      for (const v of writers) this.#written[v * this.#words + word]! |= mask;
    });
  }

  #enqueue(slot: number): void {
    if (this.#queued[slot] === 1) return;
    this.#queued[slot] = 1;
    this.#queue.push(slot);
  }

  /** Intersects the sets of all branches. */
  #meet(slot: number): void {
    const { start, to } = this.#joined;
    const first = start[slot] as number;
    const last = start[slot + 1] as number;
    if (first === last) return;
    for (let word = 0; word < this.#words; word++) {
      let common = -1;
      for (let i = first; i < last; i++)
        common &= this.#state[(to[i] as number) * this.#words + word] as number;
      this.#state[slot * this.#words + word] = common;
    }
  }

  #flow(slot: number, arc: number): void {
    const words = this.#words;
    const from = slot * words;
    const to = (this.#arcTo[arc] as number) * words;
    const writes = this.#arcWrites[arc] as number;
    const error = this.#arcError[arc] === 1;
    let grown = 0;
    for (let word = 0; word < words; word++) {
      let flow = this.#state[from + word] as number;
      if (writes >= 0) flow &= ~(this.#written[writes * words + word] as number);
      if (error) flow &= ~(this.#errors[word] as number);
      const before = this.#state[to + word] as number;
      grown |= flow & ~before;
      this.#state[to + word] = before | flow;
    }
    if (grown !== 0) this.#enqueue(this.#arcTo[arc] as number);
  }
}
