import type { InputItem } from "../../ir.js";

export interface Read {
  readonly node: number;
  readonly item: InputItem;
  /** Set on every way that leads to the node, or given by the caller. */
  sure: boolean;
}

export interface FieldUse {
  readonly name: string;
  writers: readonly number[];
  /** Those that set it whenever they succeed. */
  sureWriters: readonly number[];
  reads: readonly Read[];
  /** Asked for by an agent that takes it from the caller when it is given. */
  asked: boolean;
  input: "required" | "optional" | null;
  setAtEnd: boolean;
  setAtSuccess: boolean;
}
