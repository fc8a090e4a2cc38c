import { isDeepStrictEqual } from "node:util";
import type { Node } from "yaml";
import { childOf, type DataPath, nodeRange } from "./locate.js";
import { dataOf, parseYaml, type YamlDocument } from "./yaml.js";

/** The result of a change: a text, or why it cannot be made. */
export type EditResult = { readonly text: string } | { readonly problem: string };

type Mapping = { readonly [name: string]: unknown };

const MARK = "\ufeff";
const BY_HAND = "the file is written in a way that cannot be changed here: write the section by hand";

/** What a configuration holds as it stands in the file: references are not looked up. */
export function readForEdit(
  text: string,
): { readonly data: Mapping; readonly document: YamlDocument } | { readonly problem: string } {
  const document = parseYaml(withoutMark(text));
  if ("problem" in document) return { problem: `${document.line}:${document.column}: ${document.problem}` };
  const data = dataOf(document) ?? {};
  if (!isMapping(data)) return { problem: "1:1: the configuration is not a mapping of settings" };
  return { data, document };
}

const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);
const isMapping = (data: unknown): data is Mapping =>
  typeof data === "object" && data !== null && !Array.isArray(data);

/**
 * Puts a section into a file, in the place of the one that is there or at the end; everything else stays byte for
 * byte. The section's text has `\n` at its line ends. The result is read again: what is not exactly the file with
 * this section is not written.
 */
export function putSection(text: string, name: string, section: string): EditResult {
  const before = readForEdit(text);
  if ("problem" in before) return before;
  const mark = text.startsWith(MARK) ? MARK : "";
  const body = withoutMark(text);
  const written = body.includes("\r\n") ? section.replaceAll("\n", "\r\n") : section;
  const range = sectionRange(body, before.document, name);
  if (range === "in-line") return { problem: BY_HAND };
  const next =
    range === null ? appended(body, written) : body.slice(0, range[0]) + written + body.slice(range[1]);
  const wanted = readForEdit(section);
  if ("problem" in wanted) return wanted;
  return verified(mark + next, { ...before.data, [name]: wanted.data[name] });
}

/** The lines that a section takes, from its name to the end of its last value. */
function sectionRange(
  text: string,
  document: YamlDocument,
  name: string,
): readonly [number, number] | null | "in-line" {
  const found = childOf(document.contents, name);
  if (found === null) return null;
  const key = nodeRange(found.key);
  if (key === null) return "in-line";
  const atLineStart = key[0] === 0 || text[key[0] - 1] === "\n";
  if (!atLineStart) return "in-line";
  const value = nodeRange(found.value);
  const last = Math.max(key[1], value?.[1] ?? 0);
  // A value that is a block of text may end with its line's end.
  const lineEnd = text[last - 1] === "\n" ? last - 1 : text.indexOf("\n", last);
  return [key[0], lineEnd === -1 ? text.length : lineEnd + 1];
}

function appended(text: string, section: string): string {
  if (text.trim() === "") return text + section;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.endsWith("\n") ? eol : eol + eol;
  return text + gap + section;
}

/** A value that is to stand in the place of another; both are text. */
export interface Replacement {
  readonly path: DataPath;
  readonly value: string;
}

/** Replaces values in their place; everything else stays byte for byte. */
export function replaceValues(text: string, replacements: readonly Replacement[]): EditResult {
  const before = readForEdit(text);
  if ("problem" in before) return before;
  const mark = text.startsWith(MARK) ? MARK : "";
  let body = withoutMark(text);
  const spots = replacements.map(({ path, value }) => ({
    range: nodeRange(nodeAt(before.document, path)),
    value,
  }));
  // From the end, so that the places before stay what they are.
  spots.sort((a, b) => (b.range?.[0] ?? 0) - (a.range?.[0] ?? 0));
  for (const { range, value } of spots) {
    if (range === null) return { problem: BY_HAND };
    const lineEnd = /\r?\n$/.exec(body.slice(range[0], range[1]))?.[0] ?? "";
    body = body.slice(0, range[0]) + JSON.stringify(value) + lineEnd + body.slice(range[1]);
  }
  return verified(mark + body, withValues(before.data, replacements));
}

/** An entry that is to stand behind another one of its mapping. */
export interface Insertion {
  /** The way to the entry that it stands behind. */
  readonly after: DataPath;
  readonly name: string;
  readonly value: Mapping;
}

/** Adds an entry to a mapping that has each entry on lines of its own; everything else stays byte for byte. */
export function insertEntry(text: string, { after, name, value }: Insertion): EditResult {
  const before = readForEdit(text);
  if ("problem" in before) return before;
  const mark = text.startsWith(MARK) ? MARK : "";
  const body = withoutMark(text);
  const found = childOf(nodeAt(before.document, after.slice(0, -1)), String(after.at(-1)));
  const [keyAt] = (found === null ? null : nodeRange(found.key)) ?? [];
  const [, valueEnd] = (found === null ? null : nodeRange(found.value)) ?? [];
  if (keyAt === undefined || valueEnd === undefined) return { problem: BY_HAND };
  const indent = body.slice(body.lastIndexOf("\n", keyAt - 1) + 1, keyAt);
  if (indent.trim() !== "") return { problem: BY_HAND };
  const eol = body.includes("\r\n") ? "\r\n" : "\n";
  const end = body.indexOf("\n", body[valueEnd - 1] === "\n" ? valueEnd - 1 : valueEnd);
  const [head, tail] = end === -1 ? [body + eol, ""] : [body.slice(0, end + 1), body.slice(end + 1)];
  const lines = Object.entries(value).map(
    ([key, item]) => `${indent}  ${key}: ${JSON.stringify(item)}${eol}`,
  );
  const written = /^[A-Za-z]+_\w+$/.test(name) ? name : JSON.stringify(name);
  const added = `${indent}${written}:${eol}${lines.join("")}`;
  return verified(mark + head + added + tail, withEntry(before.data, { after, name, value }));
}

function withEntry(data: Mapping, { after, name, value }: Insertion): Mapping {
  const copy = structuredClone(data);
  let at: unknown = copy;
  for (const step of after.slice(0, -1)) at = isMapping(at) ? at[step] : undefined;
  if (isMapping(at)) Object.assign(at, { [name]: value });
  return copy;
}

function nodeAt(document: YamlDocument, path: DataPath): Node | null {
  return path.reduce<Node | null>((at, step) => childOf(at, step)?.value ?? null, document.contents);
}

function withValues(data: Mapping, replacements: readonly Replacement[]): Mapping {
  const copy = structuredClone(data);
  for (const { path, value } of replacements) {
    let at: unknown = copy;
    for (const step of path.slice(0, -1)) at = isMapping(at) ? at[step] : undefined;
    const name = path.at(-1);
    if (isMapping(at) && name !== undefined) Object.assign(at, { [name]: value });
  }
  return copy;
}

function verified(text: string, wanted: Mapping): EditResult {
  const after = readForEdit(text);
  return !("problem" in after) && isDeepStrictEqual(after.data, wanted) ? { text } : { problem: BY_HAND };
}
