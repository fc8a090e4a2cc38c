import { readJson } from "../../compiler/1-parse/cells/json-spots.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageTarget, StorageWrite } from "../graph/contract/services.js";
import { isReserved } from "../graph/values/values.js";
import { wholeText } from "./chunks.js";
import {
  createEdit,
  describe,
  type Entry,
  idFieldOf,
  isEntry,
  mappingOf,
  noEntry,
  refuseStranger,
} from "./edit.js";
import { failure } from "./failure.js";
import { createFilter, isNamed, RESULT_LIMIT, readEntries, tooMuch } from "./query.js";
import { type Change, type Format, isWhole, type Source } from "./source.js";

/** The whole document is in memory. */
const DOCUMENT_LIMIT = 50 * 1024 * 1024;
const DEPTH_LIMIT = 200;

/** A mapping of entries by key, a list of entries, or any other value. */
export const jsonDocument: Format = { read, change };

async function read(source: Source, request: StorageRead): Promise<Json | undefined> {
  const { document, length } = await parse(source);
  const { id, query } = request;
  if (id !== undefined) return entryOf(document, id, request);
  if (query === undefined) {
    if (length > RESULT_LIMIT) throw tooMuch(source.shown);
    return document;
  }
  return readEntries([entriesOf(document, request)], { query }, source.shown);
}

async function parse(source: Source): Promise<{ readonly document: Json; readonly length: number }> {
  const text = await wholeText(source, DOCUMENT_LIMIT);
  if (isTooDeep(text)) throw failure(source.shown, `it is nested more than ${DEPTH_LIMIT} deep`);
  try {
    return { document: JSON.parse(text) as Json, length: text.length };
  } catch {
    throw failure(source.shown, faultIn(text));
  }
}

/** Finding the place in a larger document would be slow. */
const EXPLAINED = 1024 * 1024;

/** Node's messages have no place for some texts, and quote the text. */
function faultIn(text: string): string {
  if (text.trim() === "") return "it is empty";
  if (text.length > EXPLAINED) return "it is no valid JSON";
  const read = readJson(text, { start: 0, end: text.length });
  const at = (read.fault ?? read.lenient[0])?.start;
  if (at === undefined) return "it is no valid JSON";
  const before = text.slice(0, at).split("\n");
  return `it is no valid JSON: line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** Depth is counted before parsing, since deep nesting can overflow the stack later. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) i = endOfText(text, i);
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > DEPTH_LIMIT) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i += 1;
    else if (code === 34) return i;
  }
  return text.length;
}

function entryOf(document: Json, id: string | number, request: StorageTarget): Json | undefined {
  const field = idFieldOf(request);
  if (Array.isArray(document)) return document.find((entry: Json) => isNamed(entry, field, id));
  if (!isEntry(document)) throw noEntries(request, document);
  return Object.hasOwn(document, String(id)) ? document[String(id)] : undefined;
}

/** Entries of a mapping get their key as id. */
function entriesOf(document: Json, request: StorageTarget): readonly Json[] {
  if (Array.isArray(document)) return document;
  if (!isEntry(document)) throw noEntries(request, document);
  return Object.entries(document).map(([key, entry]) => withKey(key, entry, request));
}

function withKey(key: string, entry: Json, request: StorageTarget): Json {
  if (isEntry(entry)) return { [idFieldOf(request)]: key, ...entry };
  const shown = JSON.stringify(key);
  throw failure(request.file, `a query needs a list, or a mapping of mappings; ${shown} is none`);
}

const noEntries = ({ file }: StorageTarget, document: Json): Error =>
  failure(file, `it holds ${describe(document)}, which has no entries`);

async function change(source: Source | null, request: StorageWrite): Promise<Change> {
  if (request.mode === "write" && isWhole(request)) return whole(request.value as Json);
  const document = source !== null ? (await parse(source)).document : request.id === undefined ? [] : {};
  return Array.isArray(document) ? changeList(document, request) : changeMapping(document, request);
}

const whole = (value: Json): Change => changed(value, () => (Array.isArray(value) ? value.length : 1));

const changed = (value: Json, count: () => number): Change => ({
  content: [`${JSON.stringify(value, null, 2)}\n`],
  count,
});

function changeList(list: readonly Json[], request: StorageWrite): Change {
  const edit = createEdit(request);
  const kept = list.map(edit.visit).filter((entry) => entry !== undefined);
  return changed([...kept, ...edit.end()], edit.count);
}

function changeMapping(document: Json, request: StorageWrite): Change {
  const { id, query, mode, file } = request;
  if (!isEntry(document)) throw noEntries(request, document);
  if (query !== undefined) return changeMatching(document, request);
  if (id === undefined) {
    if (mode === "append") throw failure(file, "append needs a list; the file holds a mapping");
    return whole({ ...document, ...mappingOf(request) });
  }
  return changeEntry(document, String(id), request);
}

function changeEntry(document: Entry, key: string, request: StorageWrite): Change {
  const { mode, upsert, value = null, file } = request;
  if (isReserved(key)) throw failure(file, `${JSON.stringify(key)} can be no id`);
  const old = Object.hasOwn(document, key) ? document[key] : undefined;
  if (mode === "delete") {
    const rest = Object.entries(document).filter(([name]) => name !== key);
    return changed(Object.fromEntries(rest), () => (old === undefined ? 0 : 1));
  }
  if (mode === "append" && old !== undefined)
    throw failure(file, `there is an entry ${JSON.stringify(key)} already`);
  if (mode === "update" && old === undefined && upsert !== true) throw noEntry(request, "key", key);
  const merged = mode === "update" && isEntry(old) && isEntry(value) ? { ...old, ...value } : value;
  return changed({ ...document, [key]: merged }, () => 1);
}

function changeMatching(document: Entry, request: StorageWrite): Change {
  const filter = createFilter(request.query?.filter);
  const value = request.mode === "update" ? mappingOf(request) : null;
  let count = 0;
  const entries = Object.entries(document).flatMap(([key, entry]): readonly (readonly [string, Json])[] => {
    if (!filter.matches(withKey(key, entry, request))) return [[key, entry]];
    count += 1;
    return value === null ? [] : [[key, { ...(entry as Entry), ...value }]];
  });
  if (count > 0) refuseStranger(filter, request);
  return changed(Object.fromEntries(entries), () => count);
}
