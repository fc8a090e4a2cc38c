import type { AgentContext, Json, Settings } from "../graph/contract.js";
import { AgentError } from "../graph/errors.js";
import { describeValue } from "../graph/fit.js";
import type {
  Storage,
  StorageFormat,
  StorageQuery,
  StorageRead,
  StorageReceipt,
  StorageWrite,
} from "../graph/services.js";
import { isMapping, text } from "../graph/values.js";
import { literal } from "./criteria.js";
import { defaultServices } from "./default-services.js";

type Inputs = { readonly [param: string]: unknown };

const bad = (message: string): AgentError => new AgentError("agent_failed", message);

/** What a reader reads. */
export async function readStored(
  format: StorageFormat,
  inputs: object,
  context: AgentContext,
): Promise<Json> {
  const { settings, signal } = context;
  const request: StorageRead = {
    format,
    file: fileOf(context),
    signal,
    ...chosen(inputs as Inputs, settings),
  };
  const otherwise = settings["default"];
  return (await storageOf(context)).read(otherwise === undefined ? request : { ...request, otherwise });
}

/**
 * Does what a writer has to do. Outputs that name entries of the receipt get those, and nothing is left over
 * that the run would have to note.
 */
export async function writeStored(request: StorageWrite, context: AgentContext): Promise<StorageReceipt> {
  const receipt = await (await storageOf(context)).write(request);
  const named = context.outputs.filter(({ key }) => Object.hasOwn(receipt, key));
  if (named.length === 0) return receipt;
  const entries = Object.entries(receipt).filter(([key]) => named.some((output) => output.key === key));
  // The entries that nobody named are missed by nobody.
  return Object.fromEntries(entries) as unknown as StorageReceipt;
}

/** What a writer has to do. `prompted`: when the file is named by a setting, the prompt is what it writes. */
export function writeRequest(
  format: StorageFormat,
  inputs: object,
  { context, prompted = false }: { readonly context: AgentContext; readonly prompted?: boolean },
): StorageWrite {
  const { settings, signal, prompt } = context;
  const { mode = "write", upsert, delimiter } = settings;
  const isText = prompted && settings["collection"] !== undefined && prompt !== undefined;
  const value = mode === "delete" ? undefined : isText ? prompt : written(format, inputs as Inputs, settings);
  return {
    format,
    file: fileOf(context),
    signal,
    mode: mode as StorageWrite["mode"],
    value,
    ...chosen(inputs as Inputs, settings),
    ...(upsert === true ? { upsert } : {}),
    ...(delimiter === undefined ? {} : { delimiter: delimiter as "," | ";" | "\t" }),
  };
}

/** The storage that the run lends its agents, or that of the project the process stands in. */
async function storageOf({ services }: AgentContext): Promise<Storage> {
  const storage = services.storage ?? (await defaultServices()).storage;
  if (storage !== undefined) return storage;
  throw bad('there is no storage here: give the run services with "storage"');
}

function fileOf({ settings, prompt }: AgentContext): string {
  const { collection } = settings;
  const file = typeof collection === "string" ? collection : (prompt ?? "");
  if (file.trim() !== "") return file;
  throw bad('no file is named: the prompt names it, or the setting "collection"');
}

/** The entries that are meant: by an id or by a query. */
function chosen(inputs: Inputs, settings: Settings): Pick<StorageRead, "id" | "idField" | "query"> {
  const { id, id_from: from, id_field: idField, query } = settings;
  const named = typeof from === "string" ? idOf(inputOf(inputs, from), from) : id;
  if (named !== undefined && query !== undefined)
    throw bad("an id and a query are set: only one of them can say which entries are meant");
  return {
    ...(typeof named === "string" || typeof named === "number" ? { id: named } : {}),
    ...(typeof idField === "string" ? { idField } : {}),
    ...(isMapping(query) ? { query: queryOf(query, inputs) } : {}),
  };
}

/** An id that is missing must never come to mean the whole file. */
function idOf(value: unknown, from: string): string | number {
  if (typeof value === "number" || (typeof value === "string" && value.trim() !== "")) return value;
  throw bad(`the input "${from}" is to be an id, but it is ${value === "" ? "empty" : describeValue(value)}`);
}

function inputOf(inputs: Inputs, name: string): unknown {
  if (Object.hasOwn(inputs, name)) return inputs[name];
  throw bad(`the settings name "${name}", which is no input of this node`);
}

/** What is written: the one input that is no id, or a mapping of them; or those that `value` names. */
function written(format: StorageFormat, inputs: Inputs, { value, id_from: from }: Settings): Json {
  if (typeof value === "string") return alone(format, inputs, value);
  const names = Array.isArray(value)
    ? value.map(text)
    : Object.keys(inputs).filter((name, _, all) => all.length === 1 || name !== from);
  const [only] = names;
  if (only === undefined) throw bad("there is nothing to write: the node has no input");
  if (names.length === 1 && !Array.isArray(value)) return alone(format, inputs, only);
  const entries = names.map((name) => [name, inputOf(inputs, name)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined)) as Json;
}

/** One input is its value; but a CSV file has no place for a text or a number without a column. */
function alone(format: StorageFormat, inputs: Inputs, name: string): Json {
  const value = (inputOf(inputs, name) ?? null) as Json;
  return format === "csv" && value !== null && typeof value !== "object" ? { [name]: value } : value;
}

const QUERY = ["filter", "sort", "order", "limit", "offset"];

/** A query as the sheet has it, with the values of inputs in place. */
function queryOf(query: Inputs, inputs: Inputs): StorageQuery {
  const unknown = Object.keys(query).find((name) => !QUERY.includes(name));
  if (unknown !== undefined) throw bad(`"query" has no "${unknown}"; it has ${QUERY.join(", ")}`);
  const { filter = {}, sort, order, limit, offset } = query;
  if (!isMapping(filter)) throw bad('"filter" must be a mapping from fields to criteria');
  const criteria = Object.entries(filter).map(([field, one]) => [field, criterionOf(one, inputs)] as const);
  return {
    filter: Object.fromEntries(criteria),
    ...(sort === undefined ? {} : { sort: texts("sort", sort) }),
    ...(order === undefined ? {} : { order: orders(order) }),
    ...(limit === undefined ? {} : { limit: count("limit", limit) }),
    ...(offset === undefined ? {} : { offset: count("offset", offset) }),
  };
}

/** `{"input": "city"}` is the value of an input, as it is; with `is`, an operator before it. */
function criterionOf(criterion: unknown, inputs: Inputs): Json {
  if (!isMapping(criterion)) return criterion as Json;
  const { input, is = "=" } = criterion;
  if (typeof input !== "string" || typeof is !== "string" || !/^(?:=|<>|<|>|<=|>=)$/.test(is))
    throw bad('a criterion is a value, or {"input": "name", "is": "="} with =, <>, <, >, <= or >=');
  const value = inputOf(inputs, input);
  if (Array.isArray(value) && is === "=") return value.map((one) => `=${literal(one)}`);
  if (value === undefined || (typeof value === "object" && value !== null))
    throw bad(`the input "${input}" is ${describeValue(value)}, which nothing can be compared with`);
  return is + (is === "=" || is === "<>" ? literal(value) : text(value));
}

function texts(name: string, value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.every((one): one is string => typeof one === "string" && one !== "")) return list;
  throw bad(`"${name}" must be a field's name, or a list of them`);
}

function orders(value: unknown): "asc" | "desc" | readonly ("asc" | "desc")[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every((one): one is "asc" | "desc" => one === "asc" || one === "desc"))
    throw bad('"order" must be "asc" or "desc", or a list of them');
  return Array.isArray(value) ? list : (list[0] as "asc" | "desc");
}

function count(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw bad(`"${name}" must be a whole number, 0 or more`);
}
