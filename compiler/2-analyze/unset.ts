import type { FlowSystem, Join } from "./set-flow.js";

/** Fields to follow, by number, with the nodes that write each. */
export interface TrackedField {
  readonly writers: readonly number[];
  readonly isError: boolean;
}

/** Words of 32 fields that are followed in one pass. */
const WORDS = 4;

/**
 * Calls `visit` with a test "may this field be unset on arrival at this slot?" for each chunk of fields in turn.
 * A least fixpoint over sets of bits, 128 fields at a time: O(fields / 128 · edges) in practice, since sets only
 * grow and most slots change once.
 */
export function solveUnset(
  system: FlowSystem,
  fields: readonly TrackedField[],
  visit: (first: number, count: number, unset: (field: number, slot: number) => boolean) => void,
): void {
  const solver = createSolver(system);
  for (let first = 0; first < fields.length; first += WORDS * 32) {
    const chunk = fields.slice(first, first + WORDS * 32);
    const state = solver(chunk);
    visit(first, chunk.length, (field, slot) => {
      const bit = field - first;
      return (((state[slot * WORDS + (bit >> 5)] as number) >>> (bit & 31)) & 1) === 1;
    });
  }
}

function createSolver(system: FlowSystem): (chunk: readonly TrackedField[]) => Int32Array {
  const { slots, arcs, joins } = system;
  const outgoing = groupArcs(system);
  const joinAt = new Map(joins.map((join) => [join.slot, join]));
  const joinsOf = groupJoins(system);
  const state = new Int32Array(slots * WORDS);
  const written = new Int32Array(slots * WORDS);
  const queued = new Uint8Array(slots);
  const errors = new Int32Array(WORDS);
  const meet = ({ slot, of }: Join): void => {
    for (let word = 0; word < WORDS; word++) {
      let common = -1;
      for (const branch of of) common &= state[branch * WORDS + word] as number;
      state[slot * WORDS + word] = common;
    }
  };
  return (chunk) => {
    state.fill(0);
    written.fill(0);
    errors.fill(0);
    chunk.forEach((field, bit) => {
      const word = bit >> 5;
      const mask = 1 << (bit & 31);
      state[word] = (state[word] as number) | mask;
      if (field.isError) errors[word] = (errors[word] as number) | mask;
      for (const v of field.writers) written[v * WORDS + word] = (written[v * WORDS + word] as number) | mask;
    });
    const queue = [0];
    queued[0] = 1;
    const enqueue = (slot: number): void => {
      if (queued[slot] === 1) return;
      queued[slot] = 1;
      queue.push(slot);
    };
    for (let head = 0; head < queue.length; head++) {
      const slot = queue[head] as number;
      queued[slot] = 0;
      const join = joinAt.get(slot);
      if (join !== undefined) meet(join);
      for (let i = outgoing.start[slot] as number; i < (outgoing.start[slot + 1] as number); i++) {
        const arc = arcs[outgoing.item[i] as number];
        if (arc === undefined) continue;
        let changed = false;
        for (let word = 0; word < WORDS; word++) {
          let flow = state[slot * WORDS + word] as number;
          if (arc.writes >= 0) flow &= ~(written[arc.writes * WORDS + word] as number);
          if (arc.error) flow &= ~(errors[word] as number);
          const at = arc.to * WORDS + word;
          const before = state[at] as number;
          state[at] = before | flow;
          if (state[at] !== before) changed = true;
        }
        if (changed) enqueue(arc.to);
      }
      for (const join of joinsOf.get(slot) ?? []) enqueue(join);
    }
    return state;
  };
}

interface Grouped {
  readonly start: Int32Array;
  readonly item: Int32Array;
}

function groupArcs({ slots, arcs }: FlowSystem): Grouped {
  const start = new Int32Array(slots + 1);
  for (const { from } of arcs) start[from + 1] = (start[from + 1] as number) + 1;
  for (let slot = 0; slot < slots; slot++)
    start[slot + 1] = (start[slot + 1] as number) + (start[slot] as number);
  const next = start.slice(0, slots);
  const item = new Int32Array(arcs.length);
  arcs.forEach(({ from }, i) => {
    item[next[from] as number] = i;
    next[from] = (next[from] as number) + 1;
  });
  return { start, item };
}

/** The slots of the joins that each slot takes part in. */
function groupJoins({ joins }: FlowSystem): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const join of joins) {
    for (const slot of join.of) {
      const group = groups.get(slot);
      if (group === undefined) groups.set(slot, [join.slot]);
      else group.push(join.slot);
    }
  }
  return groups;
}
