/**
 * The only ways in which text of a sheet enters emitted code. A string literal is JSON with the few characters
 * escaped that JSON leaves and JavaScript or a reader's eye would trip over; a template literal escapes what could end
 * it or open an expression; a comment loses what could end it, or what a tool would take for an order.
 */

/** Control, format (bidi among them), line-ending and lone surrogate characters, and spaces that do not look like one. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00a0\u115f\u1160\u3164\uffa0]/gu;

/** A character as escapes of its code units. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Bundlers look for source maps with a plain search, in strings, too. */
const SOURCE_MAP = /[#@](?=\s*source(?:mapping)?url)/gi;

/** What ends a script in a page, or keeps it from ending there. */
const MARKUP = /<(?=\/script|script|!--)/gi;

/** Text that needs no escape in any literal: nearly all text. */
const PLAIN = /^[\w .,:;!?'()[\]*+=%/|&~^{}-]*$/;

/** Text as a string literal. */
export function stringLiteral(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text)
    .replace(UNSAFE, escaped)
    .replace(SOURCE_MAP, escaped)
    .replace(MARKUP, "\\u003c");
}

const NAMED: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text as the inside of a template literal. Line ends are escaped, too: what an editor or git makes of a file's line
 * ends never changes a prompt.
 */
export function templateText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\\`]|\$(?=\{|$)/g, "\\$&")
    .replace(MARKUP, "\\u003c")
    .replace(SOURCE_MAP, escaped)
    .replace(UNSAFE, (character) => NAMED[character] ?? escaped(character));
}

/** What editors, linters, bundlers and coverage tools obey when a comment begins with it. */
export const ORDER =
  /^[\s*/!#]*(?:eslint|biome|prettier|tslint|oxlint|deno|dprint|istanbul|c8|v8|node:|jshint|jslint|jscs|stylelint|webpack|vite|rollup|turbopack|esbuild|source(?:mapping)?url|cspell|ts-|@|<)/i;

/** Text as one line of a comment: no end of comment, no tag, no end of a script, no order to a tool, nothing invisible. */
export function commentText(text: string): string {
  const plain = text
    .replace(UNSAFE, " ")
    .replace(/\*(?=\/)/g, "* ")
    .replace(/\/(?=\*|\/\/)/g, "/ ")
    .replace(/(source(?:mapping)?url)=/gi, "$1 =")
    .replace(/<(?=\/script|!--)/gi, "< ")
    .replace(/--(?=>)/g, "-- ")
    .replace(/@/g, "(at)")
    .replace(/#(?=[#_!/])/g, "# ")
    .replace(/\s+/g, " ")
    .trim();
  return ORDER.test(plain) || /^[*/]|[*/]$/.test(plain) ? `"${plain}"` : plain;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** True for text that needs no quotes as the name of a property. */
export const isPlainName = (text: string): boolean => IDENTIFIER.test(text);

/** Text as the key of an object or a type. `__proto__` in quotes would set the prototype. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isPlainName(name) ? name : stringLiteral(name);
}

/** A read of a property. */
export function propertyRead(object: string, name: string): string {
  return isPlainName(name) ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}
