import type { Json } from "../../ir.js";
import type { SettingShape } from "../../world.js";
import { isRecord } from "./settings.js";

const isString = (value: Json): boolean => typeof value === "string";

/** What a value of a shape is in words, and the test of it. */
const shapes: {
  readonly [kind in Exclude<SettingShape["kind"], "one-of" | "either">]: readonly [
    words: string,
    fits: (value: Json) => boolean,
  ];
} = {
  any: ["any value", () => true],
  string: ["text", isString],
  field: ["the name of a field", isString],
  node: ["the name of a node", isString],
  graph: ["the name of a graph", isString],
  number: ["a number", (value) => typeof value === "number"],
  integer: ["a whole number", Number.isInteger],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  list: ["a list", Array.isArray],
  object: ["an object", isRecord],
  template: ["text", isString],
  templates: ["an object", isRecord],
  nodes: ["an object of node names", (value) => isRecord(value) && Object.values(value).every(isString)],
};

export function fits(value: Json, shape: SettingShape): boolean {
  if (shape.kind === "one-of") return shape.values.some((one) => one === value);
  if (shape.kind === "either") return shape.shapes.some((one) => fits(value, one));
  return shapes[shape.kind][1](value);
}

/** A shape in the words of the diagnostics and of the tables in the docs. */
export function expectation(shape: SettingShape): string {
  if (shape.kind === "one-of") return shape.values.map((value) => JSON.stringify(value)).join(" or ");
  if (shape.kind === "either") return shape.shapes.map(expectation).join(" or ");
  return shapes[shape.kind][0];
}
