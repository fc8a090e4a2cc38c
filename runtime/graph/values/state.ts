import type { Given, Json, StateData } from "../contract/contract.js";
import { AgentError, InputError } from "../contract/errors.js";
import type { PreparedSplit, Table } from "../link/table.js";
import { type Counted, countMerged, recount } from "./size.js";
import type { State, StateType } from "./state-type.js";
import { dataOf, isPlain, isReserved } from "./values.js";

/** The part of a line that writes to its state. */
interface Written {
  readonly run: Counted;
  readonly state: State;
  readonly written: string[] | null;
}

/**
 * The first state of a run: frozen copies of the given values. `limit` is larger for values that come from another
 * state.
 */
export function createState(given: Given, type: StateType, limit?: number): State {
  const state = new type();
  for (const field of Object.keys(given)) {
    if (isReserved(field)) throw new InputError(field, `"${field}" cannot be the name of a field`);
    const value = given[field];
    if (isPlain(value)) state[field] = value;
    else if (value !== undefined) state[field] = copyValue(field, value, limit);
  }
  return state;
}

function copyValue(field: string, value: unknown, limit: number | undefined): Json | undefined {
  const refuse = (what: string): never => {
    throw new InputError(field, `the field "${field}" was given ${what}`);
  };
  return dataOf(value, limit === undefined ? { refuse } : { refuse, limit });
}

/**
 * The state of a branch. Small states are copied. Larger ones are inherited through the prototype, because copies for
 * wide splits cost too much.
 */
export function forkState(state: State, { State: type, isRoomy }: Table): State {
  if (!isRoomy) return Object.create(state) as State;
  const copy = new type();
  for (const field in state) copy[field] = state[field];
  return copy;
}

export function snapshot(state: State): StateData {
  return pick(state, Object.keys(state));
}

export function pick(state: State, fields: readonly string[]): StateData {
  const copy: { [field: string]: Json } = {};
  for (const field of fields) copy[field] = state[field] as Json;
  return copy;
}

/** The final state as a plain object: a copy when that is cheap, else the object itself. */
export function release(state: State, isRoomy: boolean): StateData {
  return (isRoomy ? { ...state } : Object.setPrototypeOf(state, Object.prototype)) as StateData;
}

/** Writes the fields of the branches into the state of the split, in the order of the list. */
export function mergeStates(line: Written, branches: readonly Written[], { merge }: PreparedSplit): void {
  let collected: Map<string, Json[]> | null = null;
  for (const { state, written } of branches) {
    for (const field of written === null || written.length < 2 ? (written ?? []) : new Set(written)) {
      const value = state[field] as Json;
      const kind = Object.hasOwn(merge, field) ? merge[field] : "last";
      if (kind === "last") put(line, field, value);
      else {
        collected ??= new Map();
        if (collected.has(field)) collected.get(field)!.push(value);
        else collected.set(field, [value]);
      }
    }
  }
  for (const [field, values] of collected ?? []) {
    put(line, field, merge[field] === "append" ? appended(line, field, values) : summed(field, values));
  }
}

/** Writes a field. A branch remembers the fields that it has written. */
export function put({ state, written, run }: Written, field: string, value: Json): void {
  state[field] = value;
  written?.push(field);
  if (run.sizes !== null) recount(run.sizes, field, value);
}

/** An old value that is no list becomes a list of one item; an unset one becomes an empty list. */
function appended({ state, run }: Written, field: string, values: readonly Json[]): Json {
  const held = state[field];
  const before =
    held === undefined || held === null ? [] : Array.isArray(held) ? (held as readonly Json[]) : [held];
  const list = Object.freeze([...before, ...values]);
  countMerged(run, { field, list, before, values });
  return list;
}

function summed(field: string, values: readonly Json[]): number {
  const numbers = values.map((value) => (typeof value === "object" ? Number.NaN : Number(value)));
  const wrong = numbers.findIndex((number) => !Number.isFinite(number));
  const sum = numbers.reduce((total, number) => total + number, 0);
  if (Number.isFinite(sum)) return sum;
  if (wrong < 0)
    throw new AgentError("bad_value", `the sum of what the branches wrote to "${field}" is too large`);
  // The value is not cut here: of a cut secret, a part would stay.
  const shown = JSON.stringify(values[wrong]);
  throw new AgentError("bad_value", `the branches wrote ${shown} to "${field}", which is no number to sum`);
}
