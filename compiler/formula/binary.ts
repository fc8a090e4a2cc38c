import type { ComputeTree } from "../ir.js";
import { BOOLEAN, isBoolean, isNumber, NUMBER, STRING } from "../types/field-type.js";
import { formatType } from "../types/format-type.js";
import { fitOf, isComposed, type Kind, typeWords } from "../types/kinds.js";
import type { Checking } from "./checking.js";
import { reportDates } from "./dates.js";
import type { BinarySign, Expression } from "./tree.js";
import {
  calling,
  clipped,
  constantOf,
  type Facts,
  isNoChoice,
  literal,
  type Typed,
  withFact,
} from "./typed.js";

type Binary = Extract<Expression, { kind: "binary" }>;

export function binary(checker: Checking, tree: Binary, facts: Facts): Typed {
  switch (tree.sign) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "^":
      return arithmetic(checker, tree, facts);
    case "&":
      return joining(checker, tree, facts);
    case "=":
    case "<>":
      return equality(checker, tree, facts);
    default:
      return order(checker, tree, facts);
  }
}

function arithmetic(checker: Checking, tree: Binary, facts: Facts): Typed {
  const { sign } = tree;
  const [one, other] = [checker.check(tree.left, facts), checker.check(tree.right, facts)];
  if (sign === "+" && areTexts(one, other)) {
    const help = "write & to join text";
    const fix = { text: "&", safe: false, at: tree.at };
    checker.report(
      "formula-type",
      one.at,
      `${clipped(checker.shown(one.at))} is text, + needs a number`,
      help,
      fix,
    );
    return checker.broken(tree, facts);
  }
  if ((sign === "+" || sign === "-") && reportDates(checker, tree, [one, other]))
    return checker.broken(tree, facts);
  const left = checker.need(one, "number", sign);
  const right = checker.need(other, "number", sign);
  if (left.isBroken || right.isBroken) return checker.broken(tree, facts);
  const at = { at: tree, facts };
  const folded = foldNumbers(sign, constantOf(left), constantOf(right));
  if (folded !== null) return checker.made(literal(folded), NUMBER, at);
  return checker.made(calling(operationOf(sign, constantOf(right)), left.tree, right.tree), NUMBER, at);
}

const areTexts = (one: Typed, other: Typed): boolean =>
  !one.isBroken && !other.isBroken && [one, other].every(({ type }) => fitOf(type, "text") === "all");

/** JavaScript divides by zero, and finds numbers that are none. */
function operationOf(sign: BinarySign, right: unknown): string {
  if (sign === "^") return "power";
  return sign === "/" && (typeof right !== "number" || right === 0) ? "divide" : sign;
}

/** Null for what is no constant, or what a run refuses. */
function foldNumbers(sign: BinarySign, left: unknown, right: unknown): number | null {
  if (typeof left !== "number" || typeof right !== "number") return null;
  const value = computed(sign, left, right);
  return Number.isFinite(value) ? value : null;
}

function computed(sign: BinarySign, left: number, right: number): number {
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  if (sign === "*") return left * right;
  return sign === "/" ? left / right : Number.NaN;
}

function joining(checker: Checking, tree: Binary, facts: Facts): Typed {
  const [left, right] = [checker.check(tree.left, facts), checker.check(tree.right, facts)];
  if (left.isBroken || right.isBroken) return checker.broken(tree, facts);
  const parts = [...partsOf(left), ...partsOf(right)].filter(
    (part) => part.is !== "value" || part.value !== "",
  );
  return checker.made(joined(parts, [left, right]), STRING, { at: tree, facts });
}

/** One text alone needs no joining. */
function joined(parts: readonly ComputeTree[], sides: readonly Typed[]): ComputeTree {
  const [only = literal(""), ...more] = parts;
  if (more.length > 0) return calling("join", ...parts);
  const isText =
    only.is === "value" ||
    isTextCall(only) ||
    sides.some(({ tree, type }) => tree === only && fitOf(type, "text") === "all");
  return isText ? only : calling("join", only);
}

const isTextCall = (tree: ComputeTree): boolean =>
  tree.is === "call" && (tree.name === "text" || tree.name === "join");

/** JavaScript joins texts, numbers and booleans as formulas do; anything else, and what may be unset, is made text. */
function partsOf({ tree, type, mayBeUnset }: Typed): readonly ComputeTree[] {
  if (tree.is === "call" && tree.name === "join") return tree.args;
  if (tree.is === "value") return [literal(String(tree.value))];
  const isPlain = KINDS.some((kind) => fitOf(type, kind) === "all") && !mayBeUnset;
  return [isPlain ? (mayOverflow(tree) ? calling("finite", tree) : tree) : calling("text", tree)];
}

/** A number may become too large in a sum or a product; the functions look at what they give. */
function mayOverflow(tree: ComputeTree): boolean {
  if (tree.is !== "call") return false;
  const { name, args } = tree;
  if (name === "+" || name === "-" || name === "*") return true;
  if (name === "/") return args.some(mayOverflow) || Math.abs(valueIn(args[1])) < 1;
  if (name === "?:" || name === "??") return args.some(mayOverflow);
  return (name === "negate" || name === "floor" || name === "abs") && args.some(mayOverflow);
}

const valueIn = (tree: ComputeTree | undefined): number => (tree?.is === "value" ? Number(tree.value) : 0);

function equality(checker: Checking, tree: Binary, facts: Facts): Typed {
  const [left, right] = [checker.check(tree.left, facts), checker.check(tree.right, facts)];
  if (left.isBroken || right.isBroken) return checker.broken(tree, facts);
  for (const one of [left, right]) if (!isComparable(checker, tree, one)) return checker.broken(tree, facts);
  if (!areAlike(left, right)) return unlike(checker, tree, { left, right }, facts);
  const isEqual = tree.sign === "=";
  const known = sameConstants(constantOf(left), constantOf(right));
  if (known !== null) return constant(checker, tree, known === isEqual, facts);
  const truth = truthOf(left, right);
  if (truth !== null) return asTruth(tree, truth, isEqual);
  const chosen = isNoChoice(right, left) ? left : isNoChoice(left, right) ? right : null;
  if (chosen !== null)
    checker.note(tree, !isEqual, `${checker.shown(chosen.at)} is ${formatType(chosen.type)}`);
  const made = checker.made(equal(left, right, isEqual), BOOLEAN, { at: tree, facts });
  const fixed = fixedBy(left, right);
  if (fixed === null) return made;
  return isEqual
    ? { ...made, whenTrue: withFact(facts, fixed, "fixed") }
    : { ...made, whenFalse: withFact(facts, fixed, "fixed") };
}

function isComparable(checker: Checking, tree: Binary, { type, at }: Typed): boolean {
  if (!isComposed(type)) return true;
  const shown = clipped(checker.shown(at));
  checker.report(
    "formula-type",
    at,
    `${shown} is ${typeWords(type)}, ${tree.sign} compares single values`,
    `write JSON(${shown}) to compare it as text`,
  );
  return false;
}

const KINDS: readonly Kind[] = ["number", "text", "boolean"];

const areAlike = (left: Typed, right: Typed): boolean =>
  KINDS.some((kind) => fitOf(left.type, kind) !== "none" && fitOf(right.type, kind) !== "none") ||
  // What is unset counts as empty text.
  (left.mayBeUnset && constantOf(right) === "") ||
  (right.mayBeUnset && constantOf(left) === "");

interface Sides {
  readonly left: Typed;
  readonly right: Typed;
}

function unlike(checker: Checking, tree: Binary, { left, right }: Sides, facts: Facts): Typed {
  const [one, other] = [typeWords(left.type), typeWords(right.type)];
  const message = `${clipped(checker.shown(left.at))} is ${one}, ${clipped(checker.shown(right.at))} is ${other}: they are never compared`;
  const text = [left, right].find(({ type }) => fitOf(type, "text") === "all");
  const isNumber = [left, right].some(({ type }) => fitOf(type, "number") === "all");
  const shown = text === undefined ? "" : checker.shown(text.at);
  const value = text === undefined ? undefined : constantOf(text);
  const number = typeof value === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? value.trim() : null;
  if (!isNumber || text === undefined) checker.report("formula-type", tree.at, message, null);
  else if (number !== null)
    checker.report("formula-type", tree.at, message, `write ${number} without quotes`, {
      text: number,
      safe: false,
      at: text.at,
    });
  else
    checker.report(
      "formula-type",
      tree.at,
      message,
      `write VALUE(${clipped(shown)}) for text that is a number`,
      value === undefined ? { text: `VALUE(${shown})`, safe: false, at: text.at } : undefined,
    );
  return checker.broken(tree, facts);
}

function sameConstants(left: unknown, right: unknown): boolean | null {
  if (left === undefined || right === undefined) return null;
  if (typeof left === "string" && typeof right === "string")
    return left.toLowerCase() === right.toLowerCase();
  return typeof left === typeof right ? left === right : null;
}

function constant(checker: Checking, tree: Binary, value: boolean, facts: Facts): Typed {
  checker.note(tree, value, "both sides are constants");
  return truth(checker.made(literal(value), BOOLEAN, { at: tree, facts }), value, facts);
}

export function truth(made: Typed, value: boolean, facts: Facts): Typed {
  const dead = { ...facts, isDead: true };
  return { ...made, whenTrue: value ? facts : dead, whenFalse: value ? dead : facts };
}

/** A comparison of TRUE or FALSE with a value that is one of both. */
function truthOf(left: Typed, right: Typed): { readonly of: Typed; readonly value: boolean } | null {
  for (const [of, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = constantOf(other);
    if (typeof value === "boolean" && isBoolean(of.type) && !of.mayBeUnset) return { of, value };
  }
  return null;
}

/** `vip = TRUE` is `vip`. */
function asTruth(
  tree: Binary,
  { of, value }: { readonly of: Typed; readonly value: boolean },
  isEqual: boolean,
): Typed {
  const { whenTrue, whenFalse } = of;
  const at = { start: tree.start, end: tree.end };
  if (value === isEqual) return { ...of, at };
  return { ...of, at, tree: calling("!", of.tree), whenTrue: whenFalse, whenFalse: whenTrue };
}

/** Numbers are compared by JavaScript, unless TypeScript knows both and would call the comparison a mistake. */
function equal(left: Typed, right: Typed, isEqual: boolean) {
  const areNumbers = [left, right].every(({ type, mayBeUnset }) => isNumber(type) && !mayBeUnset);
  if (areNumbers && (left.isWide || right.isWide))
    return calling(isEqual ? "===" : "!==", left.tree, right.tree);
  const same = calling("same", left.tree, right.tree);
  return isEqual ? same : calling("!", same);
}

/** The input that TypeScript takes for a known number from here on. */
function fixedBy(left: Typed, right: Typed): string | null {
  if (!isNumber(left.type) || !isNumber(right.type) || left.mayBeUnset || right.mayBeUnset) return null;
  for (const [of, other] of [
    [left, right],
    [right, left],
  ] as const)
    if (!other.isWide && of.isWide && of.tree.is === "read" && of.tree.path.length === 0)
      return of.tree.param;
  return null;
}

const ORDERS: ReadonlySet<string> = new Set(["number", "text"]);

/** `1 < n < 3`, as people write what lies between. */
function betweenHelp(checker: Checking, { left, sign, right }: Binary): string | null {
  if (left.kind !== "binary" || !/^[<>]/.test(left.sign) || left.sign === "<>") return null;
  const middle = clipped(checker.shown(left.right));
  return `write AND(${clipped(checker.shown(left))}, ${middle} ${sign} ${clipped(checker.shown(right))})`;
}

function order(checker: Checking, tree: Binary, facts: Facts): Typed {
  const sides = {
    left: checker.needSet(checker.check(tree.left, facts), null),
    right: checker.needSet(checker.check(tree.right, facts), null),
  };
  const { left, right } = sides;
  if (left.isBroken || right.isBroken) return checker.broken(tree, facts);
  for (const one of [left, right])
    if (!KINDS.some((kind) => ORDERS.has(kind) && fitOf(one.type, kind) !== "none")) {
      const shown = clipped(checker.shown(one.at));
      checker.report(
        "formula-type",
        tree.at,
        `${shown} is ${typeWords(one.type)}, ${tree.sign} compares numbers or texts`,
        one === left ? betweenHelp(checker, tree) : null,
      );
      return checker.broken(tree, facts);
    }
  const kind = KINDS.find(
    (one) => one !== "boolean" && [left, right].some(({ type }) => fitOf(type, one) === "all"),
  );
  if (kind !== undefined && [left, right].some(({ type }) => fitOf(type, kind) === "none"))
    return unlike(checker, tree, sides, facts);
  const [one, other] = [constantOf(left), constantOf(right)];
  if (typeof one === "number" && typeof other === "number")
    return constant(checker, tree, ordered(tree.sign, one - other), facts);
  const at = { at: tree, facts };
  if (kind === "number") {
    const [a, b] = [checker.need(left, "number", tree.sign), checker.need(right, "number", tree.sign)];
    return checker.made(calling(tree.sign, a.tree, b.tree), BOOLEAN, at);
  }
  return checker.made(calling(tree.sign, calling("compare", left.tree, right.tree), literal(0)), BOOLEAN, at);
}

function ordered(sign: BinarySign, difference: number): boolean {
  if (sign === "<") return difference < 0;
  if (sign === "<=") return difference <= 0;
  return sign === ">" ? difference > 0 : difference >= 0;
}
