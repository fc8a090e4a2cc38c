import type { AgentContext, Json, Settings } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { meets } from "../../graph/formula/criteria.js";
import { ours, pure } from "../../graph/link/marks.js";
import { isMapping } from "../../graph/values/values.js";
import type { Inputs } from "../agent.js";
import { compareValues, fieldOf } from "./order.js";

type Items = readonly Json[];

/** What is done to the items, by the setting `do`. */
const deeds: { readonly [deed: string]: (items: Items, settings: Settings) => Items } = {
  filter: (items, { where }) => items.filter((item) => matches(item, where)),
  sort: (items, { by, order }) => sorted(items, pathsOf(by), order === "desc"),
  unique: (items, { by }) => [...firstOf(items, pathsOf(by)).values()],
  limit: (items, { count }) => items.slice(0, countOf(count)),
  group: (items, { by }) => grouped(items, pathsOf(by)),
  flatten: (items) => items.flat(1) as Items,
  pick: (items, { fields }) => items.map((item) => picked(item, pathsOf(fields))),
};

/** Filters, sorts, shortens or groups the list that its first input holds. */
export const list = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function list<R = unknown>(inputs: object, { settings }: AgentContext): R {
    const deed = String(settings["do"]);
    if (!Object.hasOwn(deeds, deed)) throw failure(`"do" must be one of ${Object.keys(deeds).join(", ")}`);
    return deeds[deed]!(itemsIn(inputs as Inputs), settings) as R;
  }),
);

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

/** An unset list has no items. */
function itemsIn(inputs: Inputs): Items {
  const [name] = Object.keys(inputs);
  if (name === undefined) throw failure("there is no list: the first input names it");
  const value = inputs[name];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw failure(`the input "${name}" is no list`);
}

function matches(item: Json, where: Json | undefined): boolean {
  if (where === undefined) throw failure('filter needs "where"');
  if (!isMapping(where)) return meets(item, where);
  return Object.entries(where).every(([field, criterion]) => meets(fieldOf(item, field), criterion));
}

function pathsOf(by: Json | undefined): readonly string[] {
  if (by === undefined) return [];
  return (Array.isArray(by) ? by : [by]).map(String);
}

/** The values that items are compared by; without fields the items themselves. */
const valuesOf = (item: Json, paths: readonly string[]): readonly (Json | undefined)[] =>
  paths.length === 0 ? [item] : paths.map((path) => fieldOf(item, path));

/** Items that are equal keep their order. */
function sorted(items: Items, paths: readonly string[], descending: boolean): Items {
  const keyed = items.map((item) => ({ item, keys: valuesOf(item, paths) }));
  keyed.sort((a, b) => {
    for (const [index, key] of a.keys.entries()) {
      const found = compareValues(key, b.keys[index], descending);
      if (found !== 0) return found;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

const keyOf = (item: Json, paths: readonly string[]): string =>
  JSON.stringify(valuesOf(item, paths).map((value) => canonical(value ?? null)));

/** Mappings with their keys in one order. Values are at most some hundred levels deep: recursion is safe. */
function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isMapping(value)) return value;
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, canonical(one)]);
}

function firstOf(items: Items, paths: readonly string[]): ReadonlyMap<string, Json> {
  const first = new Map<string, Json>();
  for (const item of items) {
    const key = keyOf(item, paths);
    if (!first.has(key)) first.set(key, item);
  }
  return first;
}

/** Groups in the order of their first items. */
function grouped(items: Items, paths: readonly string[]): Items {
  if (paths.length === 0) throw failure('group needs "by"');
  const groups = new Map<string, { readonly key: Json; readonly items: Json[] }>();
  for (const item of items) {
    const name = keyOf(item, paths);
    const [only = null, ...more] = valuesOf(item, paths).map((value) => value ?? null);
    const group = groups.get(name) ?? { key: more.length === 0 ? only : [only, ...more], items: [] };
    group.items.push(item);
    groups.set(name, group);
  }
  return [...groups.values()];
}

function picked(item: Json, paths: readonly string[]): Json {
  if (paths.length === 0) throw failure('pick needs "fields"');
  const entries = paths.map((path) => [path, fieldOf(item, path)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Json;
}

function countOf(count: Json | undefined): number {
  if (Number.isInteger(count) && (count as number) >= 0) return count as number;
  throw failure('limit needs "count", a whole number');
}
