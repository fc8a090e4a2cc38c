/**
 * The only ways in which text of a sheet enters emitted code. A string literal is JSON with the few characters
 * escaped that JSON leaves and JavaScript or a reader's eye would trip over; a template literal escapes what could end
 * it or open an expression.
 */

/** Control, format (bidi among them), line-ending and lone surrogate characters, and spaces that do not look like one. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00a0\u115f\u1160\u3164\uffa0]/gu;

/** A character as escapes of its code units. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Text as a string literal. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, escaped).replaceAll("<", "\\u003c");
}

/** Text as the inside of a template literal; line feeds stay, so that a prompt reads as it was written. */
export function templateText(text: string): string {
  return text
    .replace(/[\\`]|\$(?=\{)/g, "\\$&")
    .replace(UNSAFE, (character) =>
      character === "\n" ? "\n" : character === "\r" ? "\\r" : escaped(character),
    );
}

/** Text as one line of a comment: no end of comment, no tag, no directive, nothing invisible. */
export function commentText(text: string): string {
  return text
    .replace(UNSAFE, " ")
    .replace(/\*\//g, "* /")
    .replace(/@/g, "(at)")
    .replace(/[#/]{2,}/g, (marks) => marks.split("").join(" "))
    .replace(/\s+/g, " ")
    .trim();
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Text as the key of an object or a type. */
export function propertyKey(name: string): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name);
}

/** A read of a property. */
export function propertyRead(object: string, name: string): string {
  return IDENTIFIER.test(name) ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}
