import type { InputItem } from "../../ir.js";

export interface Read {
  readonly node: number;
  readonly item: InputItem;
  /** Set on every way that leads to the node, or given by the caller. */
  sure: boolean;
}

export interface FieldUse {
  readonly name: string;
  readonly writers: readonly number[];
  /** Those that set it whenever they succeed. */
  readonly sureWriters: readonly number[];
  readonly reads: readonly Read[];
  /** Asked for by an agent that takes it from the caller when it is given. */
  readonly asked: boolean;
  input: "required" | "optional" | null;
  setAtEnd: boolean;
  setAtSuccess: boolean;
}
