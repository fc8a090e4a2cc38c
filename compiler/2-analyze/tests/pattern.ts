import { createRequire } from "node:module";

/** `test` tells whether the pattern is found anywhere in a text; `why` is given for a faulty one. */
export type PatternReading =
  | { readonly pattern: { readonly test: (text: string) => boolean } }
  | { readonly why: string };

const LONGEST = 1_000;
const LARGEST = 5_000;
const DEEPEST = 50;

/**
 * Reads a pattern as JavaScript writes it, without its slashes. RE2 never backtracks: a search costs at most the
 * length of the text times the size of the pattern.
 */
export function readPattern(source: string): PatternReading {
  const why = faultOf(source);
  if (why !== null) return { why };
  // It is loaded when the first pattern is read.
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)("re2js") as typeof import("re2js");
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return pattern.programSize() > LARGEST ? { why: "it repeats too much" } : { pattern };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { why: error.message.replace("error parsing regexp: ", "").replaceAll("`", "") };
  }
}

/** Refuses what JavaScript does not take, what only backtracking can find, and what is too large. */
function faultOf(source: string): string | null {
  if (source.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  try {
    new RegExp(source, "u");
  } catch (error) {
    return ((error as SyntaxError).message.split(": ").at(-1) ?? "").toLowerCase();
  }
  if ((source.match(/\\./gsu) ?? []).some(([, sign = ""]) => /[1-9k]/.test(sign)))
    return "it refers back to a group";
  const groups = source.replace(/\\./gsu, "").replace(/\[[^\]]*\]/g, "");
  if (/\(\?<?[=!]/.test(groups)) return "it looks ahead or behind with (?=, (?!, (?<= or (?<!";
  let depth = 0;
  for (const sign of groups) {
    if (sign === ")") depth--;
    if (sign === "(" && ++depth >= DEEPEST) return `it is nested more than ${DEEPEST} deep`;
  }
  return null;
}
