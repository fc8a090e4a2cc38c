import type { Json } from "./contract.js";

/** The fields of a run while it runs. Unset fields are absent. */
export type State = { [field: string]: Json | undefined };

/** Makes the states of one graph, so that the engine learns their shape. */
export interface StateType {
  new (): State;
}

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
  for (let i = 0; i < 8; i++) new type();
}

function plainType(): object {
  return function Fields(this: State): void {};
}

/**
 * The engine makes room in an object for as many fields as it sees assigned in the constructor, whether they are
 * or not. Without room it turns an object of more than a dozen fields into a hash table, at twice the cost.
 */
function roomyType(): object {
  return function Fields(this: State, assign?: true): void {
    if (assign === undefined) return;
    // biome-ignore format: a table
    this.p0 = this.p1 = this.p2 = this.p3 = this.p4 = this.p5 = this.p6 = this.p7 =
      this.p8 = this.p9 = this.p10 = this.p11 = this.p12 = this.p13 = this.p14 = this.p15 =
      this.p16 = this.p17 = this.p18 = this.p19 = this.p20 = this.p21 = this.p22 = this.p23 =
      this.p24 = this.p25 = this.p26 = this.p27 = this.p28 = this.p29 = this.p30 = this.p31 =
      this.p32 = this.p33 = this.p34 = this.p35 = this.p36 = this.p37 = this.p38 = this.p39 =
      this.p40 = this.p41 = this.p42 = this.p43 = this.p44 = this.p45 = this.p46 = this.p47 =
      this.p48 = this.p49 = this.p50 = this.p51 = this.p52 = this.p53 = this.p54 = this.p55 =
      this.p56 = this.p57 = this.p58 = this.p59 = this.p60 = this.p61 = this.p62 = this.p63 =
      this.p64 = this.p65 = this.p66 = this.p67 = this.p68 = this.p69 = this.p70 = this.p71 =
      this.p72 = this.p73 = this.p74 = this.p75 = this.p76 = this.p77 = this.p78 = this.p79 =
      this.p80 = this.p81 = this.p82 = this.p83 = this.p84 = this.p85 = this.p86 = this.p87 =
      this.p88 = this.p89 = this.p90 = this.p91 = this.p92 = this.p93 = this.p94 = this.p95 =
      this.p96 = this.p97 = this.p98 = this.p99 = this.p100 = this.p101 = this.p102 = this.p103 =
      this.p104 = this.p105 = this.p106 = this.p107 = this.p108 = this.p109 = this.p110 = this.p111 =
      this.p112 = this.p113 = this.p114 = this.p115 = this.p116 = this.p117 = this.p118 = this.p119 =
      this.p120 = this.p121 = this.p122 = this.p123 = this.p124 = this.p125 = this.p126 = this.p127 = null;
  };
}
