import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { JsonSchema } from "../../compiler/types/json-schema.js";
import { isMapping } from "../graph/values/values.js";
import { escaped, inputInvalid } from "../http/request/problem.js";

type Args = { readonly [name: string]: unknown };
interface Argument {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** Checks the arguments of a tool that is no workflow. Throws for the first that does not fit. */
export function checkArguments(args: Args, schema: JsonSchema): void {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: { readonly [name: string]: Argument };
    readonly required?: readonly string[];
  };
  const missing = required.find((name) => args[name] === undefined);
  if (missing !== undefined) throw wrong(missing, "is missing");
  for (const [name, value] of Object.entries(args)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined) throw wrong(name, `is unknown${meant(name, Object.keys(properties))}`);
    if (!isOfType(value, known.type)) throw wrong(name, `must be of type ${known.type}`);
    if (known.enum !== undefined && !known.enum.includes(value))
      throw wrong(name, `must be ${known.enum.join(" or ")}`);
  }
}

const wrong = (name: string, message: string): Error =>
  inputInvalid([{ pointer: `/${escaped(name)}`, message }]);

function meant(name: string, known: readonly string[]): string {
  const near = suggest(name, known);
  return near === null ? "" : `; did you mean ${quoted(near)}?`;
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === undefined) return true;
  if (type === "object") return isMapping(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

export const textOf = (args: Args, name: string): string | null => {
  const value = args[name];
  return typeof value === "string" ? value : null;
};
