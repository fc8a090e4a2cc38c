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

/** The engine keeps as much room as the first few objects of a type have used: they shall use it all. */
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
 * The engine makes room in an object for as many fields as it sees assigned in the constructor, whether they are
 * or not, and even if it is the same one over and over. Without room it turns an object of more than a dozen fields into a hash table, at twice the cost.
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
