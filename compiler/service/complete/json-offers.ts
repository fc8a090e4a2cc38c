import type { Json, Range } from "../../ir.js";
import type { Offer, Offers } from "./completion.js";
import { type JsonCaret, jsonCaret } from "./json-caret.js";

export type JsonPath = JsonCaret["path"];

/** What JSON may hold at a place of it; the label is the key, or the text of the value. */
export interface JsonWords {
  readonly keys: (path: JsonPath) => readonly Offer[];
  /** `range` is the stretch that the value takes. */
  readonly values: (path: JsonPath, range: Range) => readonly Offer[];
}

/** A value that is no text. */
export const valueOffer = (value: Json, more: Omit<Offer, "label" | "kind"> = {}): Offer => ({
  label: typeof value === "string" ? value : JSON.stringify(value),
  kind: "value",
  text: JSON.stringify(value),
  ...more,
});

/** Offers for a cell of JSON; null where the caret stands in other text. */
export function jsonOffers(text: string, at: number, words: JsonWords): Offers | null {
  const caret = jsonCaret(text, at);
  if (caret === null) return null;
  const { path, role, range } = caret;
  if (role === "value") {
    const write = ({ label, text }: Offer): string => text ?? JSON.stringify(label);
    return { ...range, offers: words.values(path, range), write };
  }
  const taken = new Set(caret.keys);
  const free = words.keys(path).filter(({ label }) => !taken.has(label));
  return { ...range, offers: free, write: ({ label }) => keyText(caret, label) };
}

function keyText({ colon, bare }: JsonCaret, key: string): string {
  const text = JSON.stringify(key);
  if (bare) return `{${text}: }`;
  return colon ? text : `${text}: `;
}
