import type { Json } from "../contract/contract.js";

/** The fields of a run. Unset fields are absent. */
export type State = { [field: string]: Json | undefined };

/** Creates the states of one graph, so that V8 gives all of them the same hidden class. */
export interface StateType {
  new (): State;
}

/** The number of extra slots for fields that are given but never written. */
const GIVEN = 4;

/** A graph with more fields gets states without in-object slots. */
export const ROOM = 128;

/** A class of states that inherits no name: its prototype has no properties. */
export function createStateType(fields: readonly string[]): StateType {
  const hasRoom = fields.length <= ROOM;
  const type = (hasRoom ? roomyType() : plainType()) as unknown as { new (): State; prototype: object };
  type.prototype = Object.freeze(Object.create(null));
  if (hasRoom) settleShape(type, fields);
  return type;
}

/** V8 shrinks the objects of a class to the slots that the first ones use. So the first ones use all slots. */
function settleShape(type: StateType, fields: readonly string[]): void {
  const state = new type();
  for (const field of fields) state[field] = null;
  // Fields that are only given are not known here.
  for (let i = 0; i < GIVEN; i++) state[`given ${i}`] = null;
  for (let i = 0; i < 8; i++) new type();
}

function plainType(): object {
  return function Fields(this: State): void {};
}

/**
 * V8 reserves one in-object slot for each assignment in the constructor, even when it never runs. Without them,
 * objects with more than a dozen fields become hash tables, which cost twice as much.
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
