import type { ComputeTree } from "../../../compiler/ir.js";
import { formulaFunctions } from "../formula/functions.js";
import { at, text } from "../values/values.js";

type Inputs = { readonly [param: string]: unknown };
type Compute = (inputs: Inputs) => unknown;
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
    case "call":
      return calling(tree.name, tree.args.map(linkCompute));
  }
}

function calling(name: string, args: Args): Compute {
  const sign = SIGNS.get(name);
  if (sign !== undefined) return sign(args);
  const found = functions.get(name);
  if (found === undefined) throw new Error(`formulas have no function ${name}`);
  return (inputs) => found(...args.map((arg) => arg(inputs)));
}

const functions: ReadonlyMap<string, (...args: readonly unknown[]) => unknown> = new Map(
  Object.entries(formulaFunctions) as [string, never][],
);

const numbers =
  (compute: (a: number, b: number) => unknown) =>
  ([a, b]: Args): Compute =>
  (inputs) =>
    compute(a?.(inputs) as number, b?.(inputs) as number);

const ofOne =
  <T>(compute: (value: T) => unknown) =>
  ([a]: Args): Compute =>
  (inputs) =>
    compute(a?.(inputs) as T);

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
  ["&&", (args) => (inputs) => args.every((arg) => arg(inputs))],
  ["||", (args) => (inputs) => args.some((arg) => arg(inputs))],
  [
    "??",
    ([a, b]) =>
      (inputs) =>
        a?.(inputs) ?? b?.(inputs),
  ],
  [
    "?:",
    ([test, yes, no]) =>
      (inputs) =>
        test?.(inputs) ? yes?.(inputs) : no?.(inputs),
  ],
  ["join", (args) => (inputs) => args.map((arg) => text(arg(inputs))).join("")],
] as readonly (readonly [string, (args: Args) => Compute])[]);
