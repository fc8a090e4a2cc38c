import { isDeepStrictEqual } from "node:util";
import type { Node } from "yaml";
import { isMapping } from "../graph/values/values.js";
import { type DataPath, valueAt } from "./findings.js";
import { childOf, nodeRange } from "./locate.js";
import { dataOf, parseYaml, type YamlDocument } from "./yaml.js";

export type EditResult = { readonly text: string } | { readonly problem: string };

type Mapping = { readonly [name: string]: unknown };

const MARK = "\ufeff";
const BY_HAND = "the file is written in a way that cannot be changed here: write the section by hand";

/** References are not resolved, so they are written back unchanged. */
interface ReadText {
  readonly data: Mapping;
  readonly document: YamlDocument;
  /** The byte order mark, or empty. */
  readonly mark: string;
  readonly body: string;
}

export function readForEdit(text: string): ReadText | { readonly problem: string } {
  const mark = text.startsWith(MARK) ? MARK : "";
  const body = text.slice(mark.length);
  const document = parseYaml(body);
  if ("problem" in document) return { problem: `${document.line}:${document.column}: ${document.problem}` };
  const data = dataOf(document) ?? {};
  if (!isMapping(data)) return { problem: "1:1: the configuration is not a mapping of settings" };
  return { data, document, mark, body };
}

/** The result is parsed again: a text whose data differ from the wanted data is not written. */
function edited(
  text: string,
  edit: (before: ReadText) => { readonly body: string; readonly wanted: Mapping } | null,
): EditResult {
  const before = readForEdit(text);
  if ("problem" in before) return before;
  const made = edit(before);
  if (made === null) return { problem: BY_HAND };
  const after = readForEdit(before.mark + made.body);
  const isRight = !("problem" in after) && isDeepStrictEqual(after.data, made.wanted);
  return isRight ? { text: before.mark + made.body } : { problem: BY_HAND };
}

/** Replaces or appends a section. All other text stays byte for byte. The section uses `\n`. */
export function putSection(text: string, name: string, section: string): EditResult {
  const read = readForEdit(section);
  if ("problem" in read) return read;
  return edited(text, ({ body, document, data }) => {
    const written = section.replaceAll("\n", lineEndOf(body));
    const range = sectionRange(body, document, name);
    if (range === "in-line") return null;
    const next = range === null ? appended(body, written) : spliced(body, range, written);
    return { body: next, wanted: { ...data, [name]: read.data[name] } };
  });
}

const lineEndOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

const spliced = (text: string, [from, to]: readonly [number, number], added: string): string =>
  text.slice(0, from) + added + text.slice(to);

/** From the line of its name to the end of its last value. */
function sectionRange(
  text: string,
  document: YamlDocument,
  name: string,
): readonly [number, number] | null | "in-line" {
  const found = childOf(document.contents, name);
  if (found === null) return null;
  const key = nodeRange(found.key);
  const atLineStart = key?.[0] === 0 || (key !== null && text[key[0] - 1] === "\n");
  if (key === null || !atLineStart) return "in-line";
  return [key[0], endOfLine(text, Math.max(key[1], nodeRange(found.value)?.[1] ?? 0))];
}

/** A YAML block scalar may include its last line end. */
function endOfLine(text: string, end: number): number {
  const found = text.indexOf("\n", text[end - 1] === "\n" ? end - 1 : end);
  return found === -1 ? text.length : found + 1;
}

function appended(text: string, section: string): string {
  if (text.trim() === "") return text + section;
  const eol = lineEndOf(text);
  return text + (text.endsWith("\n") ? eol : eol + eol) + section;
}

export interface Replacement {
  readonly path: DataPath;
  readonly value: string;
}

/** All other text stays byte for byte. */
export function replaceValues(text: string, replacements: readonly Replacement[]): EditResult {
  return edited(text, ({ body, document, data }) => {
    const ranged = replacements.map(({ path, value }) => ({
      range: nodeRange(nodeAt(document, path)),
      value,
    }));
    // Last first, so that earlier offsets stay valid.
    ranged.sort((a, b) => (b.range?.[0] ?? 0) - (a.range?.[0] ?? 0));
    let next = body;
    for (const { range, value } of ranged) {
      if (range === null) return null;
      const lineEnd = /\r?\n$/.exec(next.slice(...range))?.[0] ?? "";
      next = spliced(next, range, JSON.stringify(value) + lineEnd);
    }
    const wanted = structuredClone(data);
    for (const { path, value } of replacements) setAt(wanted, path, value);
    return { body: next, wanted };
  });
}

/** Only for mappings with one entry a line. All other text stays byte for byte. */
export function insertEntry(
  text: string,
  { after, name, value }: { readonly after: DataPath; readonly name: string; readonly value: Mapping },
): EditResult {
  const parent = after.slice(0, -1);
  return edited(text, ({ body, document, data }) => {
    const found = childOf(nodeAt(document, parent), String(after.at(-1)));
    const [keyAt] = (found && nodeRange(found.key)) ?? [];
    const [, valueEnd] = (found && nodeRange(found.value)) ?? [];
    if (keyAt === undefined || valueEnd === undefined) return null;
    const indent = body.slice(body.lastIndexOf("\n", keyAt - 1) + 1, keyAt);
    if (indent.trim() !== "") return null;
    const eol = lineEndOf(body);
    const end = endOfLine(body, valueEnd);
    const gap = body[end - 1] === "\n" ? "" : eol;
    const lines = Object.entries(value).map(
      ([key, item]) => `${indent}  ${key}: ${JSON.stringify(item)}${eol}`,
    );
    const written = /^[A-Za-z]+_\w+$/.test(name) ? name : JSON.stringify(name);
    const wanted = structuredClone(data);
    setAt(wanted, [...parent, name], value);
    return {
      body: spliced(body, [end, end], `${gap}${indent}${written}:${eol}${lines.join("")}`),
      wanted,
    };
  });
}

const nodeAt = (document: YamlDocument, path: DataPath): Node | null =>
  path.reduce<Node | null>((at, step) => childOf(at, step)?.value ?? null, document.contents);

function setAt(data: Mapping, path: DataPath, value: unknown): void {
  const parent = valueAt(data, path.slice(0, -1));
  const name = path.at(-1);
  if (isMapping(parent) && name !== undefined) Object.assign(parent, { [name]: value });
}
