import { fieldOf } from "../agents/data/order.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageWrite } from "../graph/contract/services.js";
import { isMapping, text } from "../graph/values/values.js";
import { failure } from "./failure.js";
import { createFilter, type EntryFilter, isNamed } from "./query.js";

export type Entry = { readonly [key: string]: Json };

export interface Edit {
  /** The same object when unchanged, undefined when deleted. */
  readonly visit: (entry: Json) => Json | undefined;
  readonly end: () => readonly Json[];
  readonly count: () => number;
  readonly fields: readonly string[];
}

export const isEntry = (value: Json | undefined): value is Entry => isMapping(value);

export const idFieldOf = ({ idField }: Pick<StorageWrite, "idField">): string => idField ?? "id";

/** By id, by query, or entry by entry. */
export function createEdit(request: StorageWrite): Edit {
  const { mode, id, query } = request;
  if (mode === "append") return id === undefined ? appending(listOf(request)) : adding(request, id);
  if (mode === "delete") return { ...changing(request, () => undefined), fields: [] };
  if (id !== undefined) return mode === "write" ? putting(request, id) : updatingOne(request, id);
  return query === undefined ? updatingEach(request) : merging(request, mappingOf(request));
}

const listOf = ({ value }: StorageWrite): readonly Json[] => (Array.isArray(value) ? value : [value as Json]);

const fieldsOf = (entries: readonly Json[]): readonly string[] => [
  ...new Set(entries.flatMap((entry) => (isEntry(entry) ? Object.keys(entry) : []))),
];

const appending = (items: readonly Json[]): Edit => ({
  visit: (entry) => entry,
  end: () => items,
  count: () => items.length,
  fields: fieldsOf(items),
});

function adding(request: StorageWrite, id: string | number): Edit {
  const { matches } = chosen(request);
  const visit = (entry: Json): Json => {
    if (!matches(entry)) return entry;
    const named = `whose ${idFieldOf(request)} is ${JSON.stringify(id)}`;
    throw failure(request.file, `there is an entry ${named} already`);
  };
  return { ...appending([withId(request, id)]), visit };
}

function withId(request: StorageWrite, id: string | number): Entry {
  const field = idFieldOf(request);
  return { [field]: id, ...mappingOf(request), [field]: id };
}

function chosen(request: StorageWrite): EntryFilter {
  const { id, query } = request;
  const field = idFieldOf(request);
  if (id === undefined) return createFilter(query?.filter);
  return { matches: (entry) => isNamed(entry, field, id), stranger: () => null };
}

/** A misspelt field would satisfy `<>` in every entry, so nothing is changed. */
export function refuseStranger({ stranger }: EntryFilter, { file }: StorageWrite): void {
  const field = stranger();
  if (field !== null)
    throw failure(file, `no entry has a field ${JSON.stringify(field)}; nothing was changed`);
}

/** Undefined deletes an entry. */
function changing(request: StorageWrite, change: (entry: Json) => Json | undefined): Omit<Edit, "fields"> {
  const filter = chosen(request);
  let count = 0;
  return {
    visit: (entry) => {
      if (!filter.matches(entry)) return entry;
      count += 1;
      return change(entry);
    },
    // Only the end knows all fields of all entries.
    end: () => {
      if (count > 0) refuseStranger(filter, request);
      return [];
    },
    count: () => count,
  };
}

function merging(request: StorageWrite, value: Entry): Edit {
  const edit = changing(request, (entry) => ({ ...(entry as Entry), ...value }));
  const visit = (entry: Json): Json | undefined => (isEntry(entry) ? edit.visit(entry) : entry);
  return { ...edit, visit, fields: Object.keys(value) };
}

/** Replaces the entry with this id, or adds it. */
function putting(request: StorageWrite, id: string | number): Edit {
  const value = withId(request, id);
  let isThere = false;
  const { visit } = changing(request, () => {
    // Further entries with the same id are deleted.
    const first = !isThere;
    isThere = true;
    return first ? value : undefined;
  });
  return { visit, end: () => (isThere ? [] : [value]), count: () => 1, fields: Object.keys(value) };
}

function updatingOne(request: StorageWrite, id: string | number): Edit {
  const field = idFieldOf(request);
  const { [field]: _, ...rest } = mappingOf(request);
  const edit = merging(request, rest);
  const added = withId(request, id);
  const end = (): readonly Json[] => {
    if (edit.count() > 0) return [];
    if (request.upsert !== true) throw noEntry(request, field, id);
    return [added];
  };
  return { ...edit, end, count: () => Math.max(edit.count(), 1), fields: Object.keys(added) };
}

/** Each entry of the value updates the entry with its id. */
function updatingEach(request: StorageWrite): Edit {
  const field = idFieldOf(request);
  const values = new Map<string, Entry>();
  for (const value of listOf(request)) {
    const id = ownId(value, field, request);
    values.set(id, { ...values.get(id), ...(value as Entry) });
  }
  const met = new Set<string>();
  const visit = (entry: Json): Json => {
    const id = idIn(entry, field);
    const value = id === null ? undefined : values.get(id);
    if (id === null || value === undefined) return entry;
    met.add(id);
    return { ...(entry as Entry), ...value };
  };
  const end = (): readonly Json[] => {
    const missing = [...values].filter(([id]) => !met.has(id));
    const [first] = missing;
    if (first !== undefined && request.upsert !== true) throw noEntry(request, field, first[0]);
    return missing.map(([, value]) => value);
  };
  return { visit, end, count: () => values.size, fields: fieldsOf([...values.values()]) };
}

function idIn(entry: Json, field: string): string | null {
  const id = isEntry(entry) ? fieldOf(entry, field) : undefined;
  return id === undefined || id === null || id === "" ? null : text(id);
}

function ownId(value: Json, field: string, { file }: StorageWrite): string {
  const id = idIn(value, field);
  if (id !== null) return id;
  const help = `name it with "id", or choose entries with "query"`;
  throw failure(file, `which entry is to be updated? The value has no ${JSON.stringify(field)}; ${help}`);
}

export function mappingOf({ value, file, mode }: StorageWrite): Entry {
  if (isEntry(value)) return value;
  const help = 'the setting "value" with a list of inputs makes one of them';
  throw failure(file, `${mode} of an entry needs a mapping, not ${describe(value)}; ${help}`);
}

export const noEntry = ({ file }: StorageWrite, field: string, id: string | number): Error =>
  failure(file, `there is no entry whose ${field} is ${JSON.stringify(id)}`);

export function describe(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}
