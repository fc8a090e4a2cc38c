import { createRequire } from "node:module";

/** YAML as plain data, or what is wrong with it and where. */
export type YamlResult =
  | { readonly data: unknown }
  | { readonly problem: string; readonly line: number; readonly column: number };

const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 64;

/**
 * Reads a YAML document of ours. The package is loaded when the first one is read, and never sees deep nesting:
 * it can bring the whole process down. Aliases, merges and tags of other languages are no part of our files.
 */
export function readYaml(text: string): YamlResult {
  if (text.length > MAX_LENGTH) return { problem: "the file is larger than 1 MB", line: 1, column: 1 };
  const deep = tooDeep(text);
  if (deep !== null) return { problem: `nested deeper than ${MAX_DEPTH} levels`, ...positionOf(text, deep) };
  const yaml = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  const document = yaml.parseDocument(text, { merge: false, prettyErrors: false, logLevel: "error" });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) return { problem: firstLine(fault.message), ...positionOf(text, fault.pos[0]) };
  try {
    return { data: document.toJS({ maxAliasCount: 0 }) };
  } catch (error) {
    return { problem: firstLine(error instanceof Error ? error.message : String(error)), line: 1, column: 1 };
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

/** Line and column of an offset, from 1. */
function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Where nesting first goes too deep, in brackets or in indentation; null when it never does. Linear. */
export function tooDeep(text: string): number | null {
  const brackets = deepBracket(text);
  const indents = deepIndent(text);
  if (brackets === null || indents === null) return brackets ?? indents;
  return Math.min(brackets, indents);
}

function deepBracket(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return index;
  }
  return null;
}

/** A comment, a quoted text where one may begin, or a bracket. */
const TOKEN = /(?<=^|\s)#.*|(?<=^|[\s[\]{},:])(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*')|[[\]{}]/gm;

function deepIndent(text: string): number | null {
  const open: number[] = [];
  for (const { 1: indent = "", 2: marks = "", index } of text.matchAll(/^( *)((?:[-?] +)*)(?=[^\s#])/gm)) {
    while ((open.at(-1) ?? -1) >= indent.length) open.pop();
    open.push(indent.length);
    for (let at = 0; at < marks.length; at++) {
      if (marks[at] !== " ") open.push(indent.length + at + 1);
      if (open.length > MAX_DEPTH) return index;
    }
    if (open.length > MAX_DEPTH) return index;
  }
  return null;
}
