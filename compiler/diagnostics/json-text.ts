/** Characters that are valid in JSON, but control or confuse a terminal. */
const UNSAFE = /[\x7f-\x9f\p{Zl}\p{Zp}\p{DI}]/gu;

/** A fast check, because most text needs no escapes. */
const HARMLESS = /^[\n -~]*$/;

/** Indented JSON text that is safe to print: hidden characters are escaped. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${HARMLESS.test(json) ? json : json.replace(UNSAFE, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
