import { line, WIDTH } from "./layout.js";

/**
 * All text of a sheet enters emitted code through these encoders. A string literal is JSON with more escapes:
 * for characters that are invisible or that look like others. A template literal escapes what could end it or open
 * an expression. A comment loses what could end it, and every directive to a tool.
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

/** Markup that ends a script in an HTML page, or keeps it from ending. */
const MARKUP = /<(?=\/script|script|!--)/gi;

/** Text that needs no escape. Nearly all text matches, so it is tested first. */
const PLAIN = /^[\w .,:;!?'()[\]*+=%/|&~^{}-]*$/;

export function stringLiteral(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text)
    .replace(UNSAFE, escaped)
    .replace(SOURCE_MAP, escaped)
    .replace(MARKUP, "\\u003c");
}

const NAMED: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * The inside of a template literal. Line ends are escaped as well: a prompt stays the same when an editor or git
 * converts the line ends of the file.
 */
export function templateText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\\`]|\$(?=\{|$)/g, "\\$&")
    .replace(MARKUP, "\\u003c")
    .replace(SOURCE_MAP, escaped)
    .replace(UNSAFE, (character) => NAMED[character] ?? escaped(character));
}

/** Editors, linters, bundlers and coverage tools obey comments that begin so. */
export const ORDER =
  /^[\s*/!#]*(?:eslint|biome|prettier|tslint|oxlint|deno|dprint|istanbul|c8|v8|node:|jshint|jslint|jscs|stylelint|webpack|vite|rollup|turbopack|esbuild|source(?:mapping)?url|cspell|ts-|@|<)/i;

/** Words with single spaces between them, of characters that no rule of comments looks at. */
const WORDS = /^[\w.,:;!?'"`{}()%&+-]+(?: [\w.,:;!?'"`{}()%&+-]+)*$/;

/** One line of a comment: without end of comment, tag, end of a script, directive, or invisible characters. */
export function commentText(text: string): string {
  const plain = WORDS.test(text) ? text : harmless(text);
  return ORDER.test(plain) || /^[*/]|[*/]$/.test(plain) ? `"${plain}"` : plain;
}

const harmless = (text: string): string =>
  text
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

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export const isPlainName = (text: string): boolean => IDENTIFIER.test(text);

/** `__proto__` in quotes would set the prototype; in brackets it is a key. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isPlainName(name) ? name : stringLiteral(name);
}

export function propertyRead(object: string, name: string): string {
  return isPlainName(name) ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}

/** A doc comment with its line end; the empty text for an empty text. */
export function docComment(text: string, indent: number): string {
  const plain = text === "" ? "" : commentText(text);
  if (plain === "") return "";
  const pad = " ".repeat(indent);
  if (pad.length + plain.length + 7 <= WIDTH) return `${pad}/** ${plain} */\n`;
  const width = WIDTH - indent - 3;
  // A word that is wider than a line is cut.
  const words = plain.split(" ").flatMap((word) => word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
  const lines = wrapped(words, width).map((one) => `${line(indent)} * ${one}`);
  return `${pad}/**${lines.join("")}${line(indent)} */\n`;
}

export function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
