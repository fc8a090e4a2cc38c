import type { Json } from "../ir.js";
import { braces, brackets, type Doc } from "./layout.js";
import { propertyKey } from "./literals.js";
import { longString } from "./long-text.js";

/** Data of a sheet as it is: settings, types. Depth is bounded by the parser. */
export function emitJson(value: Json, hangs: boolean): Doc {
  if (typeof value === "string") return longString(value, { hangs });
  const space = hangs ? " " : "";
  if (typeof value !== "object" || value === null) return space + jsonText(value);
  if (isList(value)) return [space, brackets(value.map((one) => emitJson(one, false)))];
  const entries = Object.entries(value).map(
    ([key, one]): Doc => [`${propertyKey(key)}:`, emitJson(one, true)],
  );
  return [space, braces(entries)];
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** JSON writes -0 as 0. */
const jsonText = (value: number | boolean | null): string =>
  Object.is(value, -0) ? "-0" : JSON.stringify(value);
