import type { Json } from "../../compiler/ir.js";

/** The value of an answer that was typed: as JSON where that fits, else as the text. */
export function fitting(
  text: string,
  problemOf: (answer: Json) => string | null,
): { readonly value: Json } | { readonly problem: string } {
  const value = valueIn(text);
  const problem = problemOf(value);
  if (problem === null) return { value };
  return value !== text && problemOf(text) === null ? { value: text } : { problem };
}

function valueIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
