import { createRequire } from "node:module";
import type { Document, ErrorCode, Node, ParsedNode } from "yaml";
import { createLineIndex, type Position } from "../../compiler/diagnostics/lines.js";

/** The message never quotes the text, which may hold secrets. */
export interface YamlProblem extends Position {
  readonly problem: string;
}

export type YamlDocument = Document.Parsed<ParsedNode>;

const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 64;

export function readYaml(text: string): { readonly data: unknown } | YamlProblem {
  const result = parseYaml(text);
  return "problem" in result ? result : { data: dataOf(result) };
}

export const dataOf = (document: YamlDocument): unknown => document.toJS({ maxAliasCount: 0 });

/**
 * The package is loaded on first use. Deep nesting is refused before parsing, since it can crash the process. Duplicate
 * keys are found here, because the package's own check is quadratic. Aliases, merges, directives and tags are refused.
 */
export function parseYaml(text: string): YamlDocument | YamlProblem {
  if (text.length > MAX_LENGTH) return { problem: "the file is larger than 1 MB", line: 1, column: 1 };
  const deep = tooDeep(text);
  if (deep !== null)
    return { problem: `nested deeper than ${MAX_DEPTH} levels`, ...createLineIndex(text).positionOf(deep) };
  const yaml = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  const document = yaml.parseDocument(text, {
    merge: false,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
  });
  const fault = findFault(document, yaml);
  return fault === null
    ? document
    : { problem: fault.problem, ...createLineIndex(text).positionOf(fault.offset) };
}

/** The offset of the first level that is too deep. Runs in linear time. */
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

/** A comment, a quoted string at a place where one may begin, or a bracket. */
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

type Yaml = typeof import("yaml");

interface Fault {
  readonly problem: string;
  readonly offset: number;
}

/** The package's messages may quote the text, and so a secret. */
const MESSAGES: { readonly [C in ErrorCode]?: string } = {
  BAD_ALIAS: "an alias (*name) stands here: write the value out, or put it in quotes",
  BAD_DQ_ESCAPE: "an unknown escape after a backslash: write \\\\, or use single quotes",
  BAD_INDENT: "the indentation does not fit the lines above, or a bracket is never closed",
  BAD_SCALAR_START: "a value cannot begin with this character: put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a list or mapping cannot stand in this line: move it to lines of its own",
  BLOCK_IN_FLOW: "indented lines cannot stand inside brackets",
  MISSING_CHAR: "a colon, a comma, a bracket or a quote is missing: is a [, { or quote never closed?",
  MULTILINE_IMPLICIT_KEY: "a key must stand in one line: is a colon missing?",
  MULTIPLE_DOCS: "a second document begins here: a file holds one",
  TAB_AS_INDENT: "a tab cannot indent a line: use spaces",
  TAG_RESOLVE_FAILED: "a tag (!name) stands here: tags are not understood, put the value in quotes",
  UNEXPECTED_TOKEN: "this is not expected here: is a quote, a bracket or a colon too many?",
};

function findFault(document: YamlDocument, yaml: Yaml): Fault | null {
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    return { problem: MESSAGES[fault.code] ?? "the YAML is not well-formed here", offset: fault.pos[0] };
  }
  const { yaml: directive, tags } = document.directives ?? {};
  if (directive?.explicit === true || Object.keys(tags ?? {}).length > 1)
    return { problem: "a directive (%) is not understood", offset: 0 };
  return findIn(document.contents, yaml);
}

/** Recursion is safe: nesting is at most 64 levels. */
function findIn(node: Node | null, yaml: Yaml): Fault | null {
  if (node === null) return null;
  if (yaml.isAlias(node)) return { problem: MESSAGES.BAD_ALIAS ?? "", offset: node.range?.[0] ?? 0 };
  if (!yaml.isCollection(node)) return null;
  const seen = new Set<string>();
  for (const item of node.items) {
    const value = yaml.isPair(item) ? item.value : item;
    const inKey = yaml.isPair(item) ? findInKey(item.key, seen, yaml) : null;
    const fault = inKey ?? findIn(value as Node | null, yaml);
    if (fault !== null) return fault;
  }
  return null;
}

function findInKey(key: unknown, seen: Set<string>, yaml: Yaml): Fault | null {
  const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
  if (!yaml.isScalar(key)) return { problem: "a key must be a plain name", offset };
  const name = String(key.value);
  if (name === "<<") return { problem: "a merge (<<) is not understood: write the settings out", offset };
  if (seen.has(name)) return { problem: "keys must be unique: this one stands here a second time", offset };
  seen.add(name);
  return null;
}
