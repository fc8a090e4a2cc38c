import type { Given, Json, MergeKind, StateData } from "./contract.js";
import { AgentError, InputError } from "./errors.js";
import { dataOf, isReserved } from "./values.js";

/** The fields of a run while it runs. Unset fields are absent. */
export type State = { [field: string]: Json | undefined };

/** Makes the states of one graph, so that the engine learns their shape. */
export interface StateType {
  new (): State;
}

/** A type of states without any inherited name: its prototype is an object that has none. */
export function createStateType(): StateType {
  const Fields = function (this: State): void {} as unknown as { new (): State; prototype: object };
  Fields.prototype = Object.freeze(Object.create(null));
  return Fields;
}

/** The given values as frozen copies. A limit other than the usual one is for what was a state before. */
export function copyGiven(given: Given, type: StateType, limit?: number): StateData {
  const copy = new type();
  for (const field of Object.keys(given)) {
    if (isReserved(field)) throw new InputError(field, `"${field}" cannot be the name of a field`);
    const value = given[field];
    if (typeof value === "string" && value.length < 1_000) copy[field] = value;
    else if (value !== undefined) copy[field] = copyValue(field, value, limit);
  }
  return copy as StateData;
}

function copyValue(field: string, value: unknown, limit: number | undefined): Json | undefined {
  const refuse = (what: string): never => {
    throw new InputError(field, `the field "${field}" was given ${what}`);
  };
  return dataOf(value, limit === undefined ? { refuse } : { refuse, limit });
}

/** The state of a run at its begin. */
export function createState(given: StateData, type: StateType): State {
  const state = new type();
  for (const field in given) state[field] = given[field];
  return state;
}

/** The state of a branch: it sees what was set at the split, and only its own writes are its own entries. */
export function forkState(state: State): State {
  return Object.create(state) as State;
}

/** The set fields of a state as data: of a branch, what it has written. */
export function snapshot(state: State): StateData {
  const copy: { [field: string]: Json } = {};
  for (const field of Object.keys(state)) copy[field] = state[field] as Json;
  return copy;
}

/** The state of a run that is over, handed out as it is: a copy would cost more than all the writes. */
export function release(state: State): StateData {
  return Object.setPrototypeOf(state, Object.prototype) as StateData;
}

/** Writes what the branches wrote into the state they were split from, in the order of the list. */
export function mergeStates(
  state: State,
  branches: readonly State[],
  kinds: { readonly [field: string]: MergeKind },
): void {
  const collected = new Map<string, Json[]>();
  for (const branch of branches) {
    for (const field of Object.keys(branch)) {
      const value = branch[field] as Json;
      const kind = Object.hasOwn(kinds, field) ? kinds[field] : "last";
      if (kind === "last") state[field] = value;
      else if (collected.has(field)) collected.get(field)!.push(value);
      else collected.set(field, [value]);
    }
  }
  for (const [field, values] of collected) {
    state[field] = kinds[field] === "append" ? appended(state[field], values) : summed(field, values);
  }
}

/** A held value that is no list is taken as a list of one, an unset one as an empty list. */
function appended(held: Json | undefined, values: readonly Json[]): Json {
  const before =
    held === undefined || held === null ? [] : Array.isArray(held) ? (held as readonly Json[]) : [held];
  return Object.freeze([...before, ...values]);
}

function summed(field: string, values: readonly Json[]): number {
  const sum = values.reduce<number>(
    (total, value) => total + (typeof value === "object" ? Number.NaN : Number(value)),
    0,
  );
  if (Number.isFinite(sum)) return sum;
  throw new AgentError("bad_value", `the branches wrote to "${field}" what cannot be summed`);
}
