import type { ComputeTree } from "../../../compiler/ir.js";
import type { Tables } from "../contract/contract.js";
import { formulaFunctions } from "../formula/functions.js";
import { at, text } from "../values/values.js";

type Inputs = { readonly [param: string]: unknown };
type Compute = (inputs: Inputs, tables: Tables) => unknown;
type Args = readonly Compute[];

/** The function that computes a formula. A generated module has the same one as code. */
export function linkCompute(tree: ComputeTree): Compute {
  switch (tree.is) {
    case "value": {
      const { value } = tree;
      return () => value;
    }
    case "read": {
      const { param, path } = tree;
      return path.length === 0 ? (inputs) => inputs[param] : (inputs) => at(inputs[param], ...path);
    }
    case "rows": {
      const { rows } = tree;
      return () => rows;
    }
    case "call":
      return calling(tree.name, tree.args.map(linkCompute));
  }
}

function calling(name: string, args: Args): Compute {
  if (name === "tables") return (_, tables) => tables;
  if (name === "{}") return namedArgs(args);
  const sign = SIGNS.get(name);
  if (sign !== undefined) return sign(args);
  const found = functions.get(name);
  if (found === undefined) throw new Error(`formulas have no function ${name}`);
  return (inputs, tables) => found(...args.map((arg) => arg(inputs, tables)));
}

/** Names and values in turn. */
function namedArgs(args: Args): Compute {
  return (inputs, tables) =>
    Object.fromEntries(
      args.flatMap((arg, i) => (i % 2 === 1 ? [] : [[arg(inputs, tables), args[i + 1]?.(inputs, tables)]])),
    );
}

const functions: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> = new Map(
  Object.entries(formulaFunctions) as [string, never][],
);

const numbers =
  (compute: (a: number, b: number) => unknown) =>
  ([a, b]: Args): Compute =>
  (inputs, tables) =>
    compute(a?.(inputs, tables) as number, b?.(inputs, tables) as number);

const ofOne =
  <T>(compute: (value: T) => unknown) =>
  ([a]: Args): Compute =>
  (inputs, tables) =>
    compute(a?.(inputs, tables) as T);

/** What JavaScript has a sign or a method for. */
const SIGNS: ReadonlyMap<string, (args: Args) => Compute> = new Map([
  ["+", numbers((a, b) => a + b)],
  ["-", numbers((a, b) => a - b)],
  ["*", numbers((a, b) => a * b)],
  ["/", numbers((a, b) => a / b)],
  ["<", numbers((a, b) => a < b)],
  ["<=", numbers((a, b) => a <= b)],
  [">", numbers((a, b) => a > b)],
  [">=", numbers((a, b) => a >= b)],
  ["===", numbers((a, b) => a === b)],
  ["!==", numbers((a, b) => a !== b)],
  ["negate", ofOne((value: number) => -value)],
  ["!", ofOne((value) => !value)],
  ["isUnset", ofOne((value) => value === undefined)],
  ["length", ofOne((value: string) => value.length)],
  ["lower", ofOne((value: string) => value.toLowerCase())],
  ["upper", ofOne((value: string) => value.toUpperCase())],
  ["floor", ofOne((value: number) => Math.floor(value))],
  ["abs", ofOne((value: number) => Math.abs(value))],
  ["&&", (args) => (inputs, tables) => args.every((arg) => arg(inputs, tables))],
  ["||", (args) => (inputs, tables) => args.some((arg) => arg(inputs, tables))],
  [
    "??",
    ([a, b]) =>
      (inputs, tables) =>
        a?.(inputs, tables) ?? b?.(inputs, tables),
  ],
  [
    "?:",
    ([test, yes, no]) =>
      (inputs, tables) =>
        test?.(inputs, tables) ? yes?.(inputs, tables) : no?.(inputs, tables),
  ],
  ["text", ofOne(text)],
  ["join", (args) => (inputs, tables) => args.map((arg) => String(arg(inputs, tables))).join("")],
] as readonly (readonly [string, (args: Args) => Compute])[]);
