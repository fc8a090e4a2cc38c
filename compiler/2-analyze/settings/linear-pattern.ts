/**
 * Regular expressions without backtracking: all ways through the pattern are followed at the same time, so the cost is
 * the length of the text times the size of the pattern, whatever both say.
 */

/** A pattern made ready; `test` tells whether it is found anywhere in a text. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
}

/** What a pattern is, or why it is none. */
export type PatternReading = { readonly pattern: LinearPattern } | { readonly why: string };

type Tree =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean }
  | { readonly kind: "edge"; readonly holds: Edge }
  | { readonly kind: "all"; readonly parts: readonly Tree[] }
  | { readonly kind: "any"; readonly parts: readonly Tree[] }
  | Repeat;

interface Repeat {
  readonly kind: "repeat";
  readonly part: Tree;
  readonly least: number;
  readonly most: number;
}

/** Whether a place between two characters is an edge; undefined is the end of the text. */
type Edge = (before: string | undefined, after: string | undefined) => boolean;

type Step =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean }
  | { readonly kind: "edge"; readonly holds: Edge }
  | { readonly kind: "fork"; readonly to: readonly number[] };

const LONGEST = 1_000;
const MOST_STEPS = 5_000;
const DEEPEST = 50;

class Refusal extends Error {}

/** Reads a pattern as JavaScript writes it, without its slashes; what only backtracking can find is refused. */
export function readPattern(source: string): PatternReading {
  if (source.length > LONGEST) return { why: `it is longer than ${LONGEST} characters` };
  try {
    // Only to have its words for what is wrong: a pattern costs nothing until it is used.
    new RegExp(source, "u");
    const reader: Reader = { characters: [...source], at: 0, depth: 0 };
    const steps: Step[] = [];
    emit(readAny(reader), steps);
    return { pattern: { test: (text) => search(steps, text) } };
  } catch (error) {
    if (error instanceof Refusal) return { why: error.message };
    if (error instanceof SyntaxError) return { why: (error.message.split(": ").at(-1) ?? "").toLowerCase() };
    throw error;
  }
}

interface Reader {
  readonly characters: readonly string[];
  at: number;
  depth: number;
}

const peek = ({ characters, at }: Reader): string => characters[at] ?? "";

function readAny(reader: Reader): Tree {
  if (++reader.depth > DEEPEST) throw new Refusal(`it is nested more than ${DEEPEST} deep`);
  const parts = [readAll(reader)];
  while (peek(reader) === "|") {
    reader.at++;
    parts.push(readAll(reader));
  }
  reader.depth--;
  return { kind: "any", parts };
}

function readAll(reader: Reader): Tree {
  const parts: Tree[] = [];
  while (reader.at < reader.characters.length && peek(reader) !== "|" && peek(reader) !== ")")
    parts.push(readRepeat(reader, readPart(reader)));
  return { kind: "all", parts };
}

function readRepeat(reader: Reader, part: Tree): Tree {
  const rest = reader.characters.slice(reader.at, reader.at + 30).join("");
  const [text, , least, comma, most] = /^([*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(rest) ?? [];
  if (text === undefined) return part;
  reader.at += text.length;
  if (text[0] === "*") return { kind: "repeat", part, least: 0, most: Infinity };
  if (text[0] === "+") return { kind: "repeat", part, least: 1, most: Infinity };
  if (text[0] === "?") return { kind: "repeat", part, least: 0, most: 1 };
  const low = Number(least);
  return {
    kind: "repeat",
    part,
    least: low,
    most: comma === "" ? low : most === "" ? Infinity : Number(most),
  };
}

function readPart(reader: Reader): Tree {
  const character = peek(reader);
  if (character === "(") return readGroup(reader);
  if (character === "^") return edge(reader, (before) => before === undefined);
  if (character === "$") return edge(reader, (_before, after) => after === undefined);
  if (character === "[") return readClass(reader);
  if (character === "\\") return readEscape(reader);
  reader.at++;
  if (character === ".") return { kind: "one", fits: (one) => !/[\n\r\u2028\u2029]/.test(one) };
  return { kind: "one", fits: (one) => one === character };
}

function edge(reader: Reader, holds: Edge): Tree {
  reader.at++;
  return { kind: "edge", holds };
}

function readGroup(reader: Reader): Tree {
  const rest = reader.characters.slice(reader.at, reader.at + 200).join("");
  const open = /^\((?:\?:|\?<[^=!>][^>]*>)?/.exec(rest)?.[0] ?? "(";
  if (open === "(" && rest.startsWith("(?"))
    throw new Refusal("it looks ahead or behind with (?=, (?!, (?<= or (?<!");
  reader.at += [...open].length;
  const inner = readAny(reader);
  reader.at++;
  return inner;
}

/** A class of characters ends at the first bracket that is not escaped. */
function readClass(reader: Reader): Tree {
  const start = reader.at;
  while (peek(reader) !== "]") reader.at += peek(reader) === "\\" ? 2 : 1;
  reader.at++;
  return single(reader.characters.slice(start, reader.at).join(""));
}

function readEscape(reader: Reader): Tree {
  const rest = reader.characters.slice(reader.at, reader.at + 100).join("");
  if (/^\\(?:[1-9]|k)/.test(rest)) throw new Refusal("it refers back to a group");
  if (rest.startsWith("\\b")) return wordEdge(reader, true);
  if (rest.startsWith("\\B")) return wordEdge(reader, false);
  const long =
    /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u.{4}|x..|c.)/;
  const source = long.exec(rest)?.[0] ?? `\\${reader.characters[reader.at + 1] ?? ""}`;
  reader.at += [...source].length;
  return single(source);
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

function wordEdge(reader: Reader, wanted: boolean): Tree {
  reader.at += 2;
  return { kind: "edge", holds: (before, after) => (isWord(before) !== isWord(after)) === wanted };
}

/** What stands for one character is left to JavaScript: with nothing to repeat it has nothing to go back to. */
function single(source: string): Tree {
  const expression = new RegExp(`^${source}$`, "u");
  return { kind: "one", fits: (character) => expression.test(character) };
}

function emit(tree: Tree, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new Refusal("it repeats too much");
  if (tree.kind === "one" || tree.kind === "edge") steps.push(tree);
  else if (tree.kind === "all") for (const part of tree.parts) emit(part, steps);
  else if (tree.kind === "any") emitAny(tree.parts, steps);
  else emitRepeat(tree, steps);
}

/** Reserves a fork whose targets are known later. */
function reserve(steps: Step[]): (...to: readonly number[]) => void {
  const at = steps.push({ kind: "fork", to: [] }) - 1;
  return (...to) => {
    steps[at] = { kind: "fork", to };
  };
}

function emitAny(parts: readonly Tree[], steps: Step[]): void {
  if (parts.length === 1) {
    emit(parts[0] as Tree, steps);
    return;
  }
  const begin = reserve(steps);
  const starts: number[] = [];
  const ends = parts.map((part) => {
    starts.push(steps.length);
    emit(part, steps);
    return reserve(steps);
  });
  begin(...starts);
  for (const end of ends) end(steps.length);
}

function emitRepeat({ part, least, most }: Repeat, steps: Step[]): void {
  if (least > MOST_STEPS || (most !== Infinity && most > MOST_STEPS))
    throw new Refusal("it repeats too much");
  for (let i = 0; i < least; i++) emit(part, steps);
  if (most === Infinity) {
    const start = steps.length;
    const begin = reserve(steps);
    emit(part, steps);
    reserve(steps)(start);
    begin(start + 1, steps.length);
    return;
  }
  const exits = Array.from({ length: Math.max(0, most - least) }, () => {
    const start = steps.length;
    const leave = reserve(steps);
    emit(part, steps);
    return () => leave(start + 1, steps.length);
  });
  for (const exit of exits) exit();
}

/** Follows all ways at once, from every place of the text. */
function search(steps: readonly Step[], text: string): boolean {
  const characters = [...text];
  let now = new Set<number>();
  for (let at = 0; at <= characters.length; at++) {
    const [before, after] = [characters[at - 1], characters[at]];
    const reached = new Set<number>();
    for (const step of [...now, 0]) follow(steps, step, { before, after, reached });
    if (reached.has(steps.length)) return true;
    now = new Set();
    for (const step of reached) {
      const found = steps[step];
      if (after !== undefined && found?.kind === "one" && found.fits(after)) now.add(step + 1);
    }
  }
  return false;
}

interface Front {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly reached: Set<number>;
}

/** All steps that can be had without a character. */
function follow(steps: readonly Step[], from: number, { before, after, reached }: Front): void {
  const open = [from];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (reached.has(step)) continue;
    reached.add(step);
    const found = steps[step];
    if (found?.kind === "fork") open.push(...found.to);
    else if (found?.kind === "edge" && found.holds(before, after)) open.push(step + 1);
  }
}
