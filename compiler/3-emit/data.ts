import type { Json } from "../ir.js";
import { braces, brackets, type Doc } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";
import { longString } from "./long-text.js";

/** Recursion is safe here, since the parser limits the depth. Long texts are cut into lines, names are not. */
function emitJson(value: Json, hangs: boolean, isText = true): Doc {
  const space = hangs ? " " : "";
  if (typeof value === "string") return isText ? longString(value, { hangs }) : space + stringLiteral(value);
  if (typeof value !== "object" || value === null) return space + jsonText(value);
  if (isList(value)) return [space, brackets(value.map((one) => emitJson(one, false, isText)))];
  return [space, braces(emitEntries(value, () => isText))];
}

export const emitEntries = (
  mapping: { readonly [key: string]: Json },
  isText: (key: string) => boolean = () => false,
): readonly Doc[] =>
  Object.entries(mapping).map(([key, one]) => [`${propertyKey(key)}:`, emitJson(one, true, isText(key))]);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** JSON writes -0 as 0. */
const jsonText = (value: number | boolean | null): string =>
  Object.is(value, -0) ? "-0" : JSON.stringify(value);
