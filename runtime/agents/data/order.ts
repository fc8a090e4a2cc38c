import { folded } from "../../../compiler/types/yes-no.js";
import type { Json } from "../../graph/contract/contract.js";
import { isMapping, text } from "../../graph/values/values.js";

/** An own key, or else a path with dots. */
export function fieldOf(entry: Json, field: string): Json | undefined {
  if (!isMapping(entry)) return undefined;
  if (Object.hasOwn(entry, field)) return entry[field] as Json;
  let inner: unknown = entry;
  for (const key of field.split(".")) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as { readonly [key: string]: unknown })[key];
  }
  return inner as Json;
}

/** Numbers, also as text, come before text. Case is ignored. Empty values come last in both orders. */
export function compareValues(a: Json | undefined, b: Json | undefined, descending: boolean): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left === EMPTY || right === EMPTY) return left - right;
  const found = left - right || (left === NUMBER ? Number(a) - Number(b) : compareTexts(text(a), text(b)));
  return descending ? -found : found;
}

const NUMBER = 0;
const TEXT = 1;
const EMPTY = 2;

function rankOf(value: Json | undefined): number {
  if (value === undefined || value === null || value === "") return EMPTY;
  if (typeof value === "number") return NUMBER;
  if (typeof value !== "string") return TEXT;
  return value.trim() !== "" && Number.isFinite(Number(value)) ? NUMBER : TEXT;
}

function compareTexts(a: string, b: string): number {
  const [left, right] = [folded(a), folded(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
