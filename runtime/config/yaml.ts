import { createRequire } from "node:module";
import type { Document, ParsedNode } from "yaml";
import { findYamlFault } from "./yaml-faults.js";

/** What is wrong with a YAML text, and where; it never quotes the text, which may hold secrets. */
export interface YamlProblem {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
}

/** YAML as plain data, or what is wrong with it. */
export type YamlResult = { readonly data: unknown } | YamlProblem;

/** A document whose nodes know their place in the text. */
export type YamlDocument = Document.Parsed<ParsedNode>;

const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 64;

/** Reads a YAML document of ours as plain data. */
export function readYaml(text: string): YamlResult {
  const result = parseYaml(text);
  return "problem" in result ? result : { data: dataOf(result) };
}

/** The data of a document that has passed. */
export const dataOf = (document: YamlDocument): unknown => document.toJS({ maxAliasCount: 0 });

/**
 * Parses a YAML document of ours. The package is loaded when the first one is read, and never sees deep nesting:
 * it can bring the whole process down. Its own search for keys that stand twice takes minutes for a large mapping,
 * so that is done here. Aliases, merges, directives and tags of other languages are no part of our files.
 */
export function parseYaml(text: string): YamlDocument | YamlProblem {
  if (text.length > MAX_LENGTH) return { problem: "the file is larger than 1 MB", line: 1, column: 1 };
  const deep = tooDeep(text);
  if (deep !== null) return { problem: `nested deeper than ${MAX_DEPTH} levels`, ...positionOf(text, deep) };
  const yaml = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  const document = yaml.parseDocument(text, {
    merge: false,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
  });
  const fault = findYamlFault(document, yaml);
  return fault === null ? document : { problem: fault.problem, ...positionOf(text, fault.offset) };
}

/** Line and column of an offset, from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
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
