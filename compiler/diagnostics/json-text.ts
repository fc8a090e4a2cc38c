/** What JSON may hold as it is, but a terminal would obey or hide. */
const UNSAFE = /[\x7f-\x9f\p{Zl}\p{Zp}\p{DI}]/gu;

/** Most text is this: it is not worth the large expression. */
const HARMLESS = /^[\n -~]*$/;

/** The value as indented JSON text that is safe to print: hidden characters are written as escapes. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${HARMLESS.test(json) ? json : json.replace(UNSAFE, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
