import { createRequire } from "node:module";
import { syntaxFault } from "./pattern-syntax.js";

/** `test` tells whether the pattern is found anywhere in a text; `why` is given for a faulty one. */
export type PatternReading =
  | { readonly pattern: { readonly test: (text: string) => boolean } }
  | { readonly why: string };

const LARGEST = 5_000;

/**
 * Reads a pattern as JavaScript writes it, without its slashes. RE2 never backtracks: a search costs at most the
 * length of the text times the size of the pattern.
 */
export function readPattern(source: string): PatternReading {
  const why = syntaxFault(source);
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

/** Why a pattern cannot be used; null for one that can. */
export function patternFault(source: string): string | null {
  const reading = readPattern(source);
  return "why" in reading ? reading.why : null;
}
