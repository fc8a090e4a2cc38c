import type { Range } from "../ir.js";
import { CELL_ERROR } from "./elsewhere.js";
import type { Fault } from "./tree.js";
import { clipped } from "./typed.js";

export type Token = Range &
  (
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "text"; readonly value: string }
    /** `quoted` for a name in single quotes. */
    | { readonly kind: "name"; readonly path: readonly string[]; readonly quoted: boolean }
    | { readonly kind: "sign"; readonly sign: string }
    | { readonly kind: "end" }
  );

const SPACE = /[\s\u00a0\ufeff]+/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const TEXT = /"(?:[^"]|"")*"/y;
const QUOTED = /'(?:[^']|'')*'/y;
/** A name of the run, such as `$today`, begins with a dollar. */
const WORD = /\$?[\p{L}_][\p{L}\p{M}\p{Nd}_]*/uy;
/** What follows a name after a point: a name, an index or a name in quotes. */
const STEP = /\.(?:([\p{L}_][\p{L}\p{M}\p{Nd}_]*|\d+)|'((?:[^']|'')*)')/uy;
const SIGN = /<>|<=|>=|[()+\-*/^&=<>%,;]/y;

const NO_CELLS = "a formula knows fields, no cells of the spreadsheet: write the name of an input";
const AS_TABLE = "a worksheet is read by LOOKUP";

/** What people write who know another language, and how a formula says it. */
const FOREIGN: readonly (readonly [RegExp, string, help: string, fix: string | null])[] = [
  [CELL_ERROR, "", NO_CELLS, null],
  [
    /(?:'(?:[^'\n]|'')*'|[\p{L}_][\p{L}\p{Nd}_.]*)!\$?[A-Za-z]{1,3}(?:\$?\d+)?(?::\$?[A-Za-z]{1,3}(?:\$?\d+)?)?/uy,
    "",
    AS_TABLE,
    null,
  ],
  [/\$?[A-Za-z]{1,3}(?:\$?\d+)?:\$?[A-Za-z]{1,3}(?:\$?\d+)?/y, "", NO_CELLS, null],
  [/\$[A-Za-z]{1,3}\$?\d+(?!\w)|[A-Za-z]{1,3}\$\d+/y, "", NO_CELLS, null],
  [/@/y, "", "leave it out", null],
  [/[\u20ac\u00a3]/y, "", "write the number alone", null],
  [/==+/y, "", "write = to compare", "="],
  [/!=|\u2260/y, "", "write <> for not equal", "<>"],
  [/\u2264|=</y, "", "write <=", "<="],
  [/\u2265|=>/y, "", "write >=", ">="],
  [/&&/y, "", "write AND(one, other)", null],
  [/\|\|/y, "", "write OR(one, other)", null],
  [/\u00d7/y, "", "write * to multiply", "*"],
  [/\u00f7/y, "", "write / to divide", "/"],
  [/\u2013|\u2212/y, "", "write the sign - of the keyboard", "-"],
  [/!/y, "", "write NOT(…)", null],
  [/\?/y, "", "write IF(condition, then, else)", null],
  [/\*\*/y, "", "write ^ for a power", "^"],
];

/** Nearly every token is none of these: one question tells so. */
const ANY_FOREIGN = new RegExp(FOREIGN.map(([{ source }]) => source).join("|"), "uy");

const CURLY = /[\u201c-\u201f][^\u201c-\u201f"]*[\u201c-\u201f"]?/y;
const BRACED = /\{\{?\s*([\p{L}_$][\p{L}\p{M}\p{Nd}_.$]*)\s*\}\}?/uy;
/** A column of a table in a spreadsheet, in the row of the formula. */
const COLUMN = /(?<![\p{L}\p{Nd}_])\[@?\s*([\p{L}_][\p{L}\p{M}\p{Nd}_]*)\s*\]/uy;

/** `'My tariff'!A:B` is the table "My tariff". */
function tableOf(reference: string): string {
  const name = reference.slice(0, reference.lastIndexOf("!"));
  const plain = name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** Cuts a text into tokens, from an offset on. It stops at the first thing that no formula has. Linear. */
export class Tokens {
  readonly #text: string;
  #at: number;
  fault: Fault | null = null;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  next(): Token {
    this.#at = this.#past(SPACE) ?? this.#at;
    const start = this.#at;
    if (start >= this.#text.length) return { kind: "end", start, end: start };
    const token = this.#read(start);
    if (token === null) return { kind: "end", start, end: start };
    this.#at = token.end;
    return token;
  }

  #past(pattern: RegExp): number | null {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text) ? pattern.lastIndex : null;
  }

  #read(start: number): Token | null {
    const foreign = this.#foreign(start);
    if (foreign) return null;
    const code = this.#text.charCodeAt(start);
    if (code === 34) return this.#readText(start);
    if (code === 39) return this.#readQuoted(start);
    const number = this.#past(NUMBER);
    if (number !== null) return this.#readNumber(start, number);
    const word = this.#past(WORD);
    if (word !== null) return this.#readName([this.#text.slice(start, word)], { start, end: word }, false);
    const sign = this.#past(SIGN);
    if (sign !== null) return { kind: "sign", sign: this.#text.slice(start, sign), start, end: sign };
    return this.#refuseStrange(start);
  }

  #foreign(start: number): boolean {
    if (this.#past(ANY_FOREIGN) === null) return false;
    for (const [pattern, , help, fix] of FOREIGN) {
      const end = this.#past(pattern);
      if (end === null) continue;
      const text = this.#text.slice(start, end);
      const advice = help === AS_TABLE ? `${help}(value, ${clipped(tableOf(text))}, "column")` : help;
      this.#refuse(
        { start, end },
        `a formula has no ${clipped(text)}`,
        advice,
        fix === null ? undefined : fix,
      );
      return true;
    }
    return false;
  }

  #readText(start: number): Token | null {
    const end = this.#past(TEXT);
    if (end === null)
      return this.#refuse(
        { start, end: start + 1 },
        "the text that begins here never ends",
        'close it with "',
      );
    return { kind: "text", value: this.#text.slice(start + 1, end - 1).replaceAll('""', '"'), start, end };
  }

  #readQuoted(start: number): Token | null {
    const end = this.#past(QUOTED);
    if (end === null)
      return this.#refuse(
        { start, end: start + 1 },
        "the name in quotes that begins here never ends",
        "close it with '",
      );
    const name = this.#text.slice(start + 1, end - 1).replaceAll("''", "'");
    return this.#readName([name], { start, end }, true);
  }

  #readName(head: readonly [string], { start, end: from }: Range, quoted: boolean): Token {
    const path: string[] = [...head];
    let end = from;
    for (;;) {
      STEP.lastIndex = end;
      const step = STEP.exec(this.#text);
      if (step === null) return { kind: "name", path, quoted, start, end };
      path.push(step[1] ?? (step[2] ?? "").replaceAll("''", "'"));
      end = STEP.lastIndex;
    }
  }

  #readNumber(start: number, end: number): Token | null {
    const text = this.#text.slice(start, end);
    this.#at = end;
    const word = this.#past(WORD);
    if (word !== null) {
      const name = this.#text.slice(start, word);
      return this.#refuse(
        { start, end: word },
        `${clipped(name)} is neither a number nor a name`,
        "a name begins with a letter",
      );
    }
    const value = Number(text);
    if (Number.isFinite(value)) return { kind: "number", value, start, end };
    return this.#refuse({ start, end }, `${clipped(text)} is too large for a number`, null);
  }

  #refuseStrange(start: number): null {
    const curly = this.#past(CURLY);
    if (curly !== null) {
      const text = this.#text
        .slice(start, curly)
        .replace(/[\u201c-\u201f]/g, "")
        .replace(/"$/, "");
      return this.#refuse(
        { start, end: curly },
        "text stands in straight quotes",
        `write "${clipped(text)}"`,
        `"${text}"`,
      );
    }
    const braced = this.#past(BRACED);
    if (braced !== null) {
      const name = this.#text.slice(start, braced).replace(/[{}\s]/g, "");
      const help = `write ${clipped(name)}`;
      return this.#refuse({ start, end: braced }, "a name in a formula has no braces", help, name);
    }
    const column = this.#past(COLUMN);
    if (column !== null) {
      const name = this.#text.slice(start, column).replace(/[[\]@\s]/g, "");
      const help = `write ${clipped(name)}`;
      return this.#refuse({ start, end: column }, "a formula knows no columns of a table", help, name);
    }
    const sign = String.fromCodePoint(this.#text.codePointAt(start) as number);
    const help =
      sign === "'" || sign === "`" || sign === "\u2018" || sign === "\u2019"
        ? 'text stands in double quotes: "text"'
        : sign === "{" || sign === "[" || sign === "}" || sign === "]"
          ? "a formula has round brackets alone, and knows no columns of a spreadsheet"
          : null;
    return this.#refuse(
      { start, end: start + sign.length },
      `a formula has no ${JSON.stringify(sign)}`,
      help,
    );
  }

  #refuse(at: Range, message: string, help: string | null, fix?: string): null {
    const cure = fix === undefined ? undefined : { text: fix, safe: false };
    this.fault = { code: "bad-formula", message, help, ...at, fix: cure };
    return null;
  }
}
