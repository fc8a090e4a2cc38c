import {
  COLUMN_TYPES,
  isColumnType,
  numberStyleFault,
  readDateFormat,
} from "../../../compiler/types/column-types.js";
import { describeValue } from "../../../compiler/types/describe-value.js";
import type { AgentContext, Json, Settings } from "../../graph/contract/contract.js";
import type {
  StorageColumns,
  StorageFormat,
  StorageRead,
  StorageReceipt,
  StorageWrite,
} from "../../graph/contract/services.js";
import { isMapping, text } from "../../graph/values/values.js";
import { type Inputs, inputOf } from "../agent.js";
import { bad, emptyInput, queryOf } from "./data-query.js";
import { storageOf } from "./storage-of.js";

/** What a writer answers where one output takes all of it: a mapping with a file, a mode and a count. */
export interface Receipt extends StorageReceipt {
  readonly [entry: string]: unknown;
}

// What a file holds is known when it is read: the types of results are what the sheet says of it.
type Reader = <R = unknown>(inputs: object, context: AgentContext) => Promise<R>;
type Writer = <R extends StorageReceipt = StorageReceipt>(
  inputs: object,
  context: AgentContext,
) => Promise<R>;

/** Reads a JSON file of the data folder: the whole of it, the entry with an id, or what a query chooses. */
export const jsonReader: Reader = (inputs, context) => readStored("json", inputs, context);

/** Reads a CSV file of the data folder: the whole of it, the entry with an id, or what a query chooses. */
export const csvReader: Reader = (inputs, context) => readStored("csv", inputs, context);

/** Reads a text file of the data folder: the whole text, the line with a number, or the lines that a query chooses. */
export const fileReader: Reader = (inputs, context) => readStored("text", inputs, context);

/** Writes a JSON file of the data folder, or changes entries of it. */
export const jsonWriter: Writer = (inputs, context) => writeStored("json", inputs, context);

/** Writes a CSV file of the data folder, or changes entries of it. */
export const csvWriter: Writer = (inputs, context) => writeStored("csv", inputs, context);

/** Writes a text file of the data folder: the prompt when a setting names the file, else the inputs. */
export const fileWriter: Writer = (inputs, context) => writeStored("text", inputs, context);

async function readStored<R>(format: StorageFormat, inputs: object, context: AgentContext): Promise<R> {
  const { settings, signal } = context;
  const { default: otherwise } = settings;
  const request: StorageRead = {
    format,
    file: fileOf(context),
    signal,
    ...chosen(inputs as Inputs, settings),
    ...(format === "csv" ? columnsOf(settings) : {}),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
  return (await storageOf(context)).read(request) as R;
}

/** How the cells of a CSV file are to be read; without `types` they are texts. */
function columnsOf(settings: Settings): Pick<StorageRead, "columns"> {
  const { types, decimal, thousands, date_format: format } = settings;
  if (types === undefined) return {};
  if (!isMapping(types) || !Object.values(types).every(isColumnType))
    throw bad(`"types" must be a mapping from columns to ${COLUMN_TYPES.join(", ")}`);
  if (format !== undefined && readDateFormat(text(format)) === null)
    throw bad(`"date_format" is made of yyyy, MM, dd, HH, mm and ss, as in "dd.MM.yyyy"`);
  const fault = numberStyleFault(decimal, thousands);
  if (fault !== null) throw bad(`"thousands" must be ${fault}`);
  const columns = {
    types,
    ...(decimal === undefined ? {} : { decimal }),
    ...(thousands === undefined ? {} : { thousands }),
    ...(format === undefined ? {} : { dateFormat: format }),
  };
  return { columns: columns as StorageColumns };
}

/** Outputs that name entries of the receipt get those: the run would have to note what is left over. */
async function writeStored<R>(format: StorageFormat, inputs: object, context: AgentContext): Promise<R> {
  const request = writeRequest(format, inputs, context);
  const receipt = await (await storageOf(context)).write(request);
  const named = new Set(context.outputs.map(({ key }) => key).filter((key) => Object.hasOwn(receipt, key)));
  const entries = Object.entries(receipt).filter(([key]) => named.size === 0 || named.has(key));
  return Object.fromEntries(entries) as R;
}

function writeRequest(format: StorageFormat, inputs: object, context: AgentContext): StorageWrite {
  const { settings, signal, prompt } = context;
  const { mode = "write", upsert, delimiter, query } = settings;
  refuseUnknown(settings, format);
  if (isMapping(query)) refuseParts(query, inputs as Inputs, mode);
  // A text may be written by the prompt when a setting names the file.
  const isText = format === "text" && settings["collection"] !== undefined && prompt !== undefined;
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

const WRITING = "mode collection id id_from id_field query value upsert delimiter".split(" ");

/** A sheet is only warned of a setting that is misspelt; but without it a writer would write, or delete, too much. */
function refuseUnknown(settings: Settings, format: StorageFormat): void {
  const unknown = Object.keys(settings).find((name) => !WRITING.includes(name));
  if (unknown !== undefined)
    throw bad(`${format} files are not written with a setting ${JSON.stringify(unknown)}`);
}

/** What would be taken for a narrower choice than it is. */
function refuseParts(query: Inputs, inputs: Inputs, mode: Json): void {
  if (mode !== "update" && mode !== "delete")
    throw bad(`"query" chooses entries to update or to delete; the mode is ${JSON.stringify(mode)}`);
  const part = Object.keys(query).find((name) => name !== "filter");
  if (part !== undefined)
    throw bad(`${JSON.stringify(part)} is for readers: ${mode} takes all entries that "filter" means`);
  const empty = emptyInput(query, inputs);
  if (empty !== null)
    throw bad(`the input "${empty}" is empty, and would mean every entry without that field`);
}

/** The storage that the run lends its agents, or that of the project the process stands in. */
function fileOf({ settings, prompt }: AgentContext): string {
  const { collection } = settings;
  const file = typeof collection === "string" ? collection : (prompt ?? "");
  if (file.trim() !== "") return file;
  throw bad('no file is named: the prompt names it, or the setting "collection"');
}

function chosen(inputs: Inputs, settings: Settings): Pick<StorageRead, "id" | "idField" | "query"> {
  const { id, id_from: from, id_field: idField, query } = settings;
  if ([from, id, query].filter((one) => one !== undefined).length > 1)
    throw bad("only one of id, id_from and query can say which entries are meant");
  const named = typeof from === "string" ? idOf(inputOf(inputs, from), from) : id;
  if (typeof named === "string" && named.trim() === "") throw bad("the id is empty");
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
