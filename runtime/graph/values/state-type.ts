import type { Json } from "../contract/contract.js";

/** The fields of a run while it runs. Unset fields are absent. */
export type State = { [field: string]: Json | undefined };

/** Makes the states of one graph, so that the engine learns their shape. */
export interface StateType {
  new (): State;
}

/** Room for so many fields that are given and not written. */
const GIVEN = 4;

/** More fields than this have no room in an object of their own. */
export const ROOM = 128;

/** A type of states without any inherited name: its prototype is an object that has none. */
export function createStateType(fields: readonly string[]): StateType {
  const hasRoom = fields.length <= ROOM;
  const type = (hasRoom ? roomyType() : plainType()) as unknown as { new (): State; prototype: object };
  type.prototype = Object.freeze(Object.create(null));
  if (hasRoom) settleShape(type, fields);
  return type;
}

/** V8 trims the objects of a type to what its first few have used. So the first ones use all slots. */
function settleShape(type: StateType, fields: readonly string[]): void {
  const state = new type();
  for (const field of fields) state[field] = null;
  // The fields that are only given are not known here.
  for (let i = 0; i < GIVEN; i++) state[`given ${i}`] = null;
  for (let i = 0; i < 8; i++) new type();
}

function plainType(): object {
  return function Fields(this: State): void {};
}

/**
 * V8 reserves one in-object slot for each assignment that it finds in the constructor. The assignments need not run.
 * Without reserved slots an object of more than a dozen fields becomes a hash table, which costs twice as much.
 */
function roomyType(): object {
  return function Fields(this: State, assign?: true): void {
    if (assign === undefined) return;
    // biome-ignore format: a table
    this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p =
      this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = this.p = null;
  };
}
