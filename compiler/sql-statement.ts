/**
 * Statements of the agent `sql`, as text with places for values. Whatever this file gets wrong, a value stays a value:
 * the database is given it beside the statement, never inside of it.
 */

/** A text, or the path of an input whose value is bound there. */
export type StatementPart = string | readonly string[];

/** A statement as one text: `{name}` is a value, and a brace of the statement is doubled. */
export function writeStatement(parts: readonly StatementPart[]): string {
  return parts
    .map((part) => (typeof part === "string" ? part.replace(/[{}]/g, "$&$&") : `{${part.join(".")}}`))
    .join("");
}

export function cutStatement(text: string): readonly StatementPart[] {
  const parts: StatementPart[] = [];
  let plain = "";
  for (const [found, path] of text.matchAll(/\{\{|\}\}|\{([^{}]+)\}|[^{}]+|[{}]/g)) {
    if (path === undefined) plain += found === "{{" || found === "}}" ? found[0] : found;
    else {
      parts.push(plain, path.trim().split("."));
      plain = "";
    }
  }
  return [...parts, plain];
}

export interface Statement {
  /** In capitals, outside of quotes and comments, each with a bracket behind it when it has one. */
  readonly words: readonly string[];
  /** Those of the main statement alone: without what stands in brackets, and without most names. */
  readonly outer: readonly string[];
  /** Parameters that somebody wrote by hand. */
  readonly parameters: readonly string[];
  /** The first thing that is wrong; null when nothing is. */
  readonly fault: StatementFault | null;
}

export interface StatementFault {
  /** The part that it is in, and the offset in that. */
  readonly part: number;
  readonly offset: number;
  readonly why: string;
}

/** No statement may hold it, so it stands for a value. */
const VALUE = "\0";

const TOKEN = new RegExp(
  [
    "(?<comment>--[^\\n]*|/\\*(?:[^*]|\\*(?!/))*\\*/)",
    "(?<quoted>\\b[eE]'(?:[^'\\\\]|\\\\.|'')*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`)",
    "(?<parameter>\\$\\d+|\\?\\d*|(?<!:):(?=[A-Za-z_])\\w+|@\\w+|(?<![\\w$])\\$[A-Za-z_]\\w*(?![\\w$]))",
    "(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)",
    "(?<open>/\\*|['\"`])",
    "(?<other>[^])",
  ].join("|"),
  "uy",
);
/** A text between two equal marks, as PostgreSQL has it. */
const DOLLARS = /\$(?:[A-Za-z_]\w*)?\$/y;

/** Marks without an end are looked for up to the end of the text, each anew. */
const LONGEST = 65_536;

const IN_QUOTES = "stands in quotes: take them away, since a value needs none";
const IN_COMMENT = "stands in a comment";
const IN_NAME = "touches a name: a value cannot be a part of one";

/** Reads a statement as SQLite and PostgreSQL both do. */
export function readStatement(parts: readonly StatementPart[]): Statement {
  const text = parts.map((part) => (typeof part === "string" ? part : VALUE)).join("");
  const words: string[] = [];
  const outer: string[] = [];
  const parameters: string[] = [];
  const faults: { readonly at: number; readonly why: string }[] = [];
  const wrong = (at: number, why: string): void => void faults.push({ at, why });
  const unread = (why: string): Statement => ({
    words,
    outer,
    parameters,
    fault: { part: 0, offset: 0, why },
  });
  if (text.length > LONGEST) return unread(`is longer than ${LONGEST} characters`);
  if (parts.some((part) => typeof part === "string" && part.includes(VALUE)))
    return unread("holds a character that none may hold");
  let ended = false;
  let depth = 0;
  // The whole statement may stand in brackets.
  let ground = 0;
  let before = "";
  for (let at = 0; at < text.length && faults.length === 0; ) {
    DOLLARS.lastIndex = at;
    const mark = isPart(text[at - 1]) ? null : (DOLLARS.exec(text)?.[0] ?? null);
    const end = mark === null ? -1 : text.indexOf(mark, at + mark.length);
    if (mark !== null && end >= 0) {
      const value = text.slice(at, end).indexOf(VALUE);
      if (value >= 0) wrong(at + value, IN_QUOTES);
      at = end + mark.length;
      before = mark;
      continue;
    }
    TOKEN.lastIndex = at;
    const { 0: token = "", groups = {} } = TOKEN.exec(text) ?? {};
    const value = token.indexOf(VALUE);
    const isBlank = groups["comment"] !== undefined || token.trim() === "";
    if (ended && !isBlank && token !== ";") wrong(at, "begins a second statement: write one in each row");
    if (groups["comment"] !== undefined) {
      if (value >= 0) wrong(at + value, IN_COMMENT);
      if (token.startsWith("/*") && token.includes("/*", 2)) wrong(at, "is a comment in a comment");
    } else if (groups["quoted"] !== undefined) {
      if (value >= 0) wrong(at + value, IN_QUOTES);
    } else if (groups["open"] !== undefined)
      wrong(at, token === "/*" ? "is a comment without an end" : "is a quote that is not closed");
    else if (groups["parameter"] !== undefined) parameters.push(token);
    else if (groups["word"] !== undefined) {
      if (words.length === 0) ground = depth;
      if (depth <= ground && !NAMING.has(before)) outer.push(token.toUpperCase());
      words.push(
        `${token.toUpperCase()}${/^\s*\(/.test(text.slice(at + token.length, at + token.length + 40)) ? "(" : ""}`,
      );
    } else if (token === ";") ended = true;
    else if (token === VALUE && (isPart(text[at - 1]) || isPart(text[at + 1]))) wrong(at, IN_NAME);
    else if (token === "(") depth++;
    else if (token === ")") depth--;
    if (!isBlank) before = token.toUpperCase();
    at += token.length;
  }
  const [first] = faults;
  const fault =
    first === undefined ? kindFault(words, parameters) : { ...placeIn(parts, first.at), why: first.why };
  return { words, outer, parameters, fault };
}

/** A name stands behind these, also one that is a word elsewhere. */
const NAMING: ReadonlySet<string> = new Set([",", ".", "AS", "WITH", "RECURSIVE"]);

/** A letter, a digit, a quote, or another value. */
const isPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$"'`\0]/u.test(character);

function placeIn(parts: readonly StatementPart[], at: number): Pick<StatementFault, "part" | "offset"> {
  let left = at;
  for (const [part, one] of parts.entries()) {
    const length = typeof one === "string" ? one.length : 1;
    if (left < length) return { part, offset: typeof one === "string" ? left : 0 };
    left -= length;
  }
  return { part: 0, offset: 0 };
}

const READING = ["SELECT", "VALUES", "WITH", "TABLE"];
const CHANGING = "INSERT UPDATE DELETE REPLACE MERGE CREATE ALTER DROP TRUNCATE".split(" ");

function kindFault(words: readonly string[], parameters: readonly string[]): StatementFault | null {
  const first = wordOf(words[0]);
  const numbered = parameters.find((one) => /^\$\d/.test(one));
  const at = { part: 0, offset: 0 };
  if (first === "") return { ...at, why: "is empty" };
  if (![...READING, ...CHANGING].includes(first)) {
    const known = [...READING, ...CHANGING].join(", ");
    return { ...at, why: `begins with ${first}; it may begin with ${known}` };
  }
  if (numbered !== undefined)
    return { ...at, why: `has ${numbered}: write {name} for the value of an input` };
  return null;
}

const wordOf = (word = ""): string => word.replace("(", "");

/**
 * True for a statement that changes nothing, by its words. A `WITH` that holds a word that changes something counts as
 * a change, and so does a `SELECT` that locks rows or makes a table.
 */
export function onlyReads({ words }: Pick<Statement, "words">): boolean {
  return READING.includes(wordOf(words[0])) && !words.some((word) => CHANGES.has(word));
}

/** `REPLACE(` is a function. */
const CHANGES: ReadonlySet<string> = new Set("INSERT UPDATE DELETE REPLACE MERGE INTO INTO(".split(" "));

/**
 * True for a statement that gives rows. The main statement tells it, whatever names and parts hold: a `SELECT` gives
 * rows unless it makes a table of them, a change does with `RETURNING`.
 */
export function givesRows({ outer }: Pick<Statement, "outer">): boolean {
  const [first = "", ...rest] = outer;
  // One that stands in brackets behind its `WITH` is no change.
  const main = first === "WITH" ? (rest.find((word) => MAIN.includes(word)) ?? "SELECT") : first;
  return READING.includes(main) ? !outer.includes("INTO") : outer.includes("RETURNING");
}

const MAIN = [...READING, ...CHANGING];
