import { readPattern } from "../../compiler/2-analyze/tests/pattern.js";
import type { Json } from "../../compiler/ir.js";

export interface Difference {
  readonly path: readonly (string | number)[];
  readonly expected: Json;
  /** Undefined when the value is missing. */
  readonly actual: Json | undefined;
}

type Mapping = { readonly [key: string]: Json };
const isMapping = (value: Json | undefined): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The places where a value is not as expected. Objects may have more entries; lists must have the same length.
 * `{"$any": "string"}` and `{"$match": "regex"}` stand for any such value. Cost: linear, without the patterns.
 */
export function differences(
  expected: Json,
  actual: Json | undefined,
  path: Difference["path"] = [],
): readonly Difference[] {
  const here = { path, expected, actual };
  const matcher = matcherOf(expected);
  if (matcher !== null) return matcher(actual) ? [] : [here];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [here];
    return (expected as readonly Json[]).flatMap((item, i) => differences(item, actual[i], [...path, i]));
  }
  if (!isMapping(expected)) return Object.is(expected, actual) || expected === actual ? [] : [here];
  if (!isMapping(actual)) return [here];
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(value, Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key]),
  );
}

type Matcher = (actual: Json | undefined) => boolean;

/** The matcher in an object whose only entry begins with `$`; null for other values. */
function matcherOf(expected: Json): Matcher | null {
  if (!isMapping(expected)) return null;
  const [only, ...others] = Object.entries(expected);
  if (only === undefined || others.length > 0) return null;
  const [key, value] = only;
  if (key === "$any") return (actual) => isOfKind(actual, String(value));
  if (key !== "$match") return null;
  const reading = readPattern(String(value));
  return (actual) => typeof actual === "string" && "pattern" in reading && reading.pattern.test(actual);
}

function isOfKind(actual: Json | undefined, kind: string): boolean {
  if (actual === undefined) return false;
  if (kind === "any") return true;
  if (kind === "null") return actual === null;
  if (kind === "list") return Array.isArray(actual);
  if (kind === "object") return isMapping(actual);
  return typeof actual === kind;
}
