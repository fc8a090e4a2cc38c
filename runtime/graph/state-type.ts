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
    this.p0 = 0;
    this.p1 = 0;
    this.p2 = 0;
    this.p3 = 0;
    this.p4 = 0;
    this.p5 = 0;
    this.p6 = 0;
    this.p7 = 0;
    this.p8 = 0;
    this.p9 = 0;
    this.p10 = 0;
    this.p11 = 0;
    this.p12 = 0;
    this.p13 = 0;
    this.p14 = 0;
    this.p15 = 0;
    this.p16 = 0;
    this.p17 = 0;
    this.p18 = 0;
    this.p19 = 0;
    this.p20 = 0;
    this.p21 = 0;
    this.p22 = 0;
    this.p23 = 0;
    this.p24 = 0;
    this.p25 = 0;
    this.p26 = 0;
    this.p27 = 0;
    this.p28 = 0;
    this.p29 = 0;
    this.p30 = 0;
    this.p31 = 0;
    this.p32 = 0;
    this.p33 = 0;
    this.p34 = 0;
    this.p35 = 0;
    this.p36 = 0;
    this.p37 = 0;
    this.p38 = 0;
    this.p39 = 0;
    this.p40 = 0;
    this.p41 = 0;
    this.p42 = 0;
    this.p43 = 0;
    this.p44 = 0;
    this.p45 = 0;
    this.p46 = 0;
    this.p47 = 0;
    this.p48 = 0;
    this.p49 = 0;
    this.p50 = 0;
    this.p51 = 0;
    this.p52 = 0;
    this.p53 = 0;
    this.p54 = 0;
    this.p55 = 0;
    this.p56 = 0;
    this.p57 = 0;
    this.p58 = 0;
    this.p59 = 0;
    this.p60 = 0;
    this.p61 = 0;
    this.p62 = 0;
    this.p63 = 0;
    this.p64 = 0;
    this.p65 = 0;
    this.p66 = 0;
    this.p67 = 0;
    this.p68 = 0;
    this.p69 = 0;
    this.p70 = 0;
    this.p71 = 0;
    this.p72 = 0;
    this.p73 = 0;
    this.p74 = 0;
    this.p75 = 0;
    this.p76 = 0;
    this.p77 = 0;
    this.p78 = 0;
    this.p79 = 0;
    this.p80 = 0;
    this.p81 = 0;
    this.p82 = 0;
    this.p83 = 0;
    this.p84 = 0;
    this.p85 = 0;
    this.p86 = 0;
    this.p87 = 0;
    this.p88 = 0;
    this.p89 = 0;
    this.p90 = 0;
    this.p91 = 0;
    this.p92 = 0;
    this.p93 = 0;
    this.p94 = 0;
    this.p95 = 0;
    this.p96 = 0;
    this.p97 = 0;
    this.p98 = 0;
    this.p99 = 0;
    this.p100 = 0;
    this.p101 = 0;
    this.p102 = 0;
    this.p103 = 0;
    this.p104 = 0;
    this.p105 = 0;
    this.p106 = 0;
    this.p107 = 0;
    this.p108 = 0;
    this.p109 = 0;
    this.p110 = 0;
    this.p111 = 0;
    this.p112 = 0;
    this.p113 = 0;
    this.p114 = 0;
    this.p115 = 0;
    this.p116 = 0;
    this.p117 = 0;
    this.p118 = 0;
    this.p119 = 0;
    this.p120 = 0;
    this.p121 = 0;
    this.p122 = 0;
    this.p123 = 0;
    this.p124 = 0;
    this.p125 = 0;
    this.p126 = 0;
    this.p127 = 0;
  };
}
