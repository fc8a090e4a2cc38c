import type { ComputeTree, FieldType, FoundTable, Range } from "../ir.js";
import type { Kind } from "../types/kinds.js";
import type { Expression, Fault } from "./tree.js";
import type { Facts, Typed } from "./typed.js";

/** What the rules of signs and functions are given to check a part of a formula. */
export interface Checking {
  readonly check: (tree: Expression, facts: Facts) => Typed;
  readonly made: (tree: ComputeTree, type: FieldType, where: Where) => Typed;
  readonly broken: (at: Range, facts: Facts) => Typed;
  /** The text of a stretch, for messages. */
  readonly shown: (at: Range) => string;
  readonly report: (
    code: Fault["code"],
    at: Range,
    message: string,
    help: string | null,
    fix?: Fault["fix"],
  ) => void;
  /** A table that the formula looks things up in; null where tables are not looked up. */
  readonly table: (name: string) => FoundTable | null;
  /** A condition is always the same; null where a value is never used. */
  readonly note: (at: Range, value: boolean | null, why: string) => void;
  /** A value that is there. */
  readonly needSet: (typed: Typed, kind: Kind | null) => Typed;
  /** A value of a kind: one of another kind is a fault, one of an unknown type is looked at when it is there. */
  readonly need: (typed: Typed, kind: Kind, who: string) => Typed;
}

export interface Where {
  readonly at: Range;
  readonly facts: Facts;
}
