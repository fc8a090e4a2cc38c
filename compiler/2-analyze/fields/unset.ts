import { createDigraph, type Digraph, reversed } from "../flow/digraph.js";
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
  readonly #arcs: FlowSystem["arcs"];
  readonly #outgoing: Digraph;
  /** The slots that a join intersects, and the joins that depend on a slot. */
  readonly #joined: Digraph;
  readonly #joins: Digraph;
  readonly #state: Int32Array;
  readonly #written: Int32Array;
  readonly #errors: Int32Array;

  constructor({ nodes, slots, arcs, joins }: FlowSystem, words: number) {
    this.#words = words;
    this.#arcs = arcs;
    this.#outgoing = createDigraph(slots, { from: arcs.from, to: [...arcs.from.keys()] });
    this.#joined = createDigraph(slots, joins);
    this.#joins = reversed(this.#joined);
    this.#state = new Int32Array(slots * words);
    this.#written = new Int32Array(nodes * words);
    this.#errors = new Int32Array(words);
  }

  /** The next call overwrites the result. */
  solve(chunk: readonly TrackedField[]): Int32Array {
    this.#prepare(chunk);
    const queue = [0];
    const queued = new Uint8Array(this.#outgoing.size);
    const enqueue = (slot: number): void => {
      if (queued[slot] === 0) queue.push(slot);
      queued[slot] = 1;
    };
    for (let head = 0; head < queue.length; head++) {
      const slot = queue[head] as number;
      queued[slot] = 0;
      this.#meet(slot);
      const { start, to } = this.#outgoing;
      for (let i = start[slot] as number; i < (start[slot + 1] as number); i++) {
        const arc = to[i] as number;
        if (this.#flow(slot, arc)) enqueue(this.#arcs.to[arc] as number);
      }
      const { start: first, to: join } = this.#joins;
      for (let i = first[slot] as number; i < (first[slot + 1] as number); i++) enqueue(join[i] as number);
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

  /** Whether a set has grown. */
  #flow(slot: number, arc: number): boolean {
    const words = this.#words;
    const from = slot * words;
    const to = (this.#arcs.to[arc] as number) * words;
    const writes = this.#arcs.writes[arc] as number;
    const error = this.#arcs.error[arc] === true;
    let grown = 0;
    for (let word = 0; word < words; word++) {
      let flow = this.#state[from + word] as number;
      if (writes >= 0) flow &= ~(this.#written[writes * words + word] as number);
      if (error) flow &= ~(this.#errors[word] as number);
      const before = this.#state[to + word] as number;
      grown |= flow & ~before;
      this.#state[to + word] = before | flow;
    }
    return grown !== 0;
  }
}
