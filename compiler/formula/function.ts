import type { FieldType } from "../types/field-type.js";
import { fitOf, itemsOf, type Kind } from "../types/kinds.js";
import type { Checking } from "./checking.js";
import type { Expression, Fault } from "./tree.js";
import { calling, clipped, constantOf, type Facts, type Typed } from "./typed.js";

export interface Call {
  readonly checker: Checking;
  readonly tree: Extract<Expression, { kind: "call" }>;
  readonly facts: Facts;
}

/** A function of formulas: one row of the table. */
export interface FormulaFunction {
  readonly name: string;
  readonly signature: string;
  /** One line for editors and the reference. */
  readonly about: string;
  /** An example, and the value of it. */
  readonly example: readonly [formula: string, value: string];
  readonly least: number;
  readonly most: number;
  /** What is said where values are missing. */
  readonly lack?: { readonly code: Fault["code"]; readonly help: string };
  readonly check: (call: Call) => Typed;
  /** The kind that a value must have, where that is the same in every call. */
  readonly kindAt?: (index: number) => Kind | null;
}

/** Functions with any number of values. */
export const MANY = 255;

type Param = Kind | "any" | "numbers";

interface Plain extends Pick<FormulaFunction, "name" | "signature" | "about" | "example"> {
  /** The kinds of its values; one with `?` may be left out, the last one with `*` may be repeated. */
  readonly params: readonly (Param | `${Param}?` | `${Param}*`)[];
  readonly gives: FieldType | ((args: readonly Typed[]) => FieldType);
  /** The function of the runtime, or the sign. */
  readonly runs: string;
  /** What the constants among its values must be. */
  readonly constants?: readonly (((value: string | number | boolean) => string | null) | null)[];
}

/** A function that looks at its values alone, each of one kind. */
export function plain({ params, gives, runs, constants = [], ...row }: Plain): FormulaFunction {
  const least = params.filter((param) => !/[?*]$/.test(param)).length;
  const repeats = params.at(-1)?.endsWith("*") === true;
  const kindAt = (i: number): Param =>
    (params[Math.min(i, params.length - 1)] as string).replace(/[?*]$/, "") as Param;
  return {
    ...row,
    least: repeats ? Math.max(least, 1) : least,
    most: repeats ? MANY : params.length,
    kindAt: (i) => {
      const kind = kindAt(i);
      return kind === "any" || kind === "numbers" ? null : kind;
    },
    check: (call) => {
      const { checker, tree, facts } = call;
      const args = tree.args.map((arg, i) => {
        const found = checker.check(arg, facts);
        const kind = kindAt(i);
        const value = argument(call, found, kind, row.name);
        return checkConstant(call, value, constants[i] ?? null);
      });
      if (args.some(({ isBroken }) => isBroken)) return checker.broken(tree, facts);
      const type = typeof gives === "function" ? gives(args) : gives;
      return checker.made(calling(runs, ...args.map((arg) => arg.tree)), type, { at: tree, facts });
    },
  };
}

function argument({ checker }: Call, typed: Typed, kind: Param, who: string): Typed {
  if (kind === "any") return checker.needSet(typed, null);
  if (kind !== "numbers") return checker.need(typed, kind, who);
  const set = checker.needSet(typed, null);
  const isList = fitOf(set.type, "list") !== "none";
  if (!isList) return checker.need(set, "number", who);
  const items = itemsOf(set.type);
  if (fitOf(set.type, "list") !== "all" || fitOf(items, "number") !== "none") return set;
  const message = `${clipped(checker.shown(set.at))} is a list of something else, ${who} needs numbers`;
  checker.report("formula-type", set.at, message, null);
  return { ...set, isBroken: true };
}

function checkConstant(
  { checker, facts }: Call,
  typed: Typed,
  why: ((value: string | number | boolean) => string | null) | null,
): Typed {
  const value = constantOf(typed);
  const wrong = typed.isBroken || value === undefined ? null : (why?.(value) ?? null);
  if (wrong === null) return typed;
  checker.report("bad-formula", typed.at, `${checker.shown(typed.at)} is not meant here`, wrong);
  return checker.broken(typed.at, facts);
}
