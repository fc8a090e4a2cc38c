import type { ErrorCode, Node } from "yaml";
import type { YamlDocument } from "./yaml.js";

type Yaml = typeof import("yaml");

/** What is wrong with a document, and its offset in the text. */
interface Fault {
  readonly problem: string;
  readonly offset: number;
}

/** The parser's own messages may quote the text, and so a secret. */
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

/** The first thing that keeps a document from being used; null when there is none. */
export function findYamlFault(document: YamlDocument, yaml: Yaml): Fault | null {
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
  if (yaml.isSeq(node)) return firstOf(node.items, (item) => findIn(item as Node | null, yaml));
  if (!yaml.isMap(node)) return null;
  const seen = new Set<string>();
  return firstOf(node.items, ({ key, value }) => {
    const fault = findInKey(key, seen, yaml);
    return fault ?? findIn(value as Node | null, yaml);
  });
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

function firstOf<T>(items: readonly T[], find: (item: T) => Fault | null): Fault | null {
  for (const item of items) {
    const fault = find(item);
    if (fault !== null) return fault;
  }
  return null;
}
