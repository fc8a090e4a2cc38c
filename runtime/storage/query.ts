import { compareValues, fieldOf } from "../agents/data/order.js";
import type { Json } from "../graph/contract/contract.js";
import type { StorageQuery, StorageRead } from "../graph/contract/services.js";
import { meets } from "../graph/formula/criteria.js";
import { text } from "../graph/values/values.js";
import { failure } from "./failure.js";

/** The maximal size of a result, in characters and entries. */
export const RESULT_LIMIT = 10_000_000;

export interface EntryFilter {
  readonly matches: (entry: Json) => boolean;
  /** A field with criterion `<>` that no entry has; null when there is none. */
  readonly stranger: () => string | null;
}

export function createFilter(filter: StorageQuery["filter"]): EntryFilter {
  const criteria = Object.entries(filter ?? {});
  const unseen = new Set(criteria.flatMap(([field, one]) => (String(one).startsWith("<>") ? [field] : [])));
  return {
    matches: (entry) => {
      for (const field of unseen) if (fieldOf(entry, field) !== undefined) unseen.delete(field);
      return criteria.every(([field, criterion]) => meets(fieldOf(entry, field), criterion));
    },
    stranger: () => [...unseen][0] ?? null,
  };
}

/** With `sort` and `limit` only the best entries stay in memory. */
function createSelection(query: StorageQuery, shown: string) {
  const { limit = Number.POSITIVE_INFINITY, offset = 0 } = query;
  const { matches } = createFilter(query.filter);
  const compare = query.sort === undefined ? null : createOrder(query);
  const wanted = offset + limit;
  const kept: Json[] = [];
  let size = 0;
  let skipped = 0;
  const shorten = (): void => {
    if (compare === null) return;
    for (const gone of kept.sort(compare).splice(wanted)) size -= sizeOf(gone);
  };
  const keep = (entry: Json): void => {
    kept.push(detached(entry));
    size += sizeOf(entry);
    if (size > RESULT_LIMIT || kept.length >= Math.max(2 * wanted, 1000)) shorten();
    if (size > RESULT_LIMIT) throw tooMuch(shown);
  };
  return {
    /** False when no later entry can change the result. */
    take: (entry: Json): boolean => {
      if (wanted === 0) return false;
      if (!matches(entry)) return true;
      if (compare === null && skipped < offset) {
        skipped += 1;
        return true;
      }
      keep(entry);
      return compare !== null || kept.length < limit;
    },
    list: (): readonly Json[] => {
      shorten();
      return compare === null ? kept : kept.slice(offset);
    },
  };
}

/** The entry with an id, or the result of a query. Batches are lazy. */
export async function readEntries(
  batches: AsyncIterable<Iterable<Json>> | Iterable<Iterable<Json>>,
  { id, idField = "id", query = {} }: Pick<StorageRead, "id" | "idField" | "query">,
  shown: string,
): Promise<Json | undefined> {
  const selection = createSelection(query, shown);
  for await (const batch of batches)
    for (const entry of batch) {
      if (id === undefined) {
        if (!selection.take(entry)) return selection.list();
      } else if (isNamed(entry, idField, id)) return entry;
    }
  return id === undefined ? selection.list() : undefined;
}

/** Ids are compared as text, because CSV has no numbers. */
export const isNamed = (entry: Json, field: string, id: string | number): boolean => {
  const own = fieldOf(entry, field);
  return own !== undefined && own !== null && text(own) === String(id);
};

/** V8 keeps the whole source string of a substring alive: 256 KB of the file for each entry. */
const detached = (entry: Json): Json => JSON.parse(JSON.stringify(entry)) as Json;

export const tooMuch = (shown: string): Error =>
  failure(shown, `more than ${RESULT_LIMIT} characters are meant; narrow it with "query" (filter, limit)`);

function sizeOf(value: Json): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value))
    return value.reduce((sum: number, one: Json) => sum + sizeOf(one), 1 + value.length);
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + sizeOf(one), 1);
}

function createOrder({ sort = [], order = [] }: StorageQuery): (a: Json, b: Json) => number {
  const fields = typeof sort === "string" ? [sort] : sort;
  const orders = typeof order === "string" ? fields.map(() => order) : order;
  return (a, b) => {
    for (const [index, field] of fields.entries()) {
      const found = compareValues(fieldOf(a, field), fieldOf(b, field), orders[index] === "desc");
      if (found !== 0) return found;
    }
    return 0;
  };
}
