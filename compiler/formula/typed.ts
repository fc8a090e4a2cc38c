import type { ComputeTree, FieldType, Range } from "../ir.js";
import { choicesOf } from "../types/field-type.js";

/** What is known of inputs at one spot of a formula: TypeScript knows the same there. */
export interface Facts {
  /** `fixed`: TypeScript knows a number, or some, that it can only be. */
  readonly of: ReadonlyMap<string, "set" | "unset" | "fixed">;
  /** No value leads here. */
  readonly isDead: boolean;
}

export const NO_FACTS: Facts = { of: new Map(), isDead: false };

export function withFact(facts: Facts, param: string, fact: "set" | "unset" | "fixed"): Facts {
  const of = new Map(facts.of);
  of.set(param, fact);
  return { of, isDead: facts.isDead };
}

/** What is known whichever of two ways was taken. */
export function eitherFacts(one: Facts, other: Facts): Facts {
  if (one.isDead) return other;
  if (other.isDead) return one;
  const of = new Map([...one.of].filter(([param, fact]) => other.of.get(param) === fact));
  // A number that may be one of several on one way is fixed on both only when it is on both.
  return { of, isDead: false };
}

/** A checked part of a formula. */
export interface Typed {
  readonly tree: ComputeTree;
  readonly type: FieldType;
  readonly mayBeUnset: boolean;
  /** A fault was found in it: nothing more is said of it. */
  readonly isBroken: boolean;
  /** False for a number of which TypeScript knows the value, or the few that it may be. */
  readonly isWide: boolean;
  readonly at: Range;
  /** Why it is text, where people take it for a number. */
  readonly textSince?: string | null;
  /** What is known where it is TRUE, and where it is FALSE. */
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
}

export const literal = (value: string | number | boolean): ComputeTree => ({ is: "value", value });

export const calling = (name: string, ...args: readonly ComputeTree[]): ComputeTree => ({
  is: "call",
  name,
  args,
});

/** The value that a part always has; undefined where that is not known before a run. */
export const constantOf = ({ tree }: Pick<Typed, "tree">): string | number | boolean | undefined =>
  tree.is === "value" ? tree.value : undefined;

/** True for a text that is none of the choices of another part. */
export function isNoChoice(text: Typed, of: Typed): boolean {
  const [value, choices] = [constantOf(text), choicesOf(of.type)];
  if (typeof value !== "string" || choices.length === 0 || (of.mayBeUnset && value === "")) return false;
  return choices.every((one) => one.toLowerCase() !== value.toLowerCase());
}

export const clipped = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text);
