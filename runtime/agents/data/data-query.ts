import { describeValue } from "../../../compiler/types/describe-value.js";
import type { Json } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { StorageQuery } from "../../graph/contract/services.js";
import { literal } from "../../graph/formula/criteria.js";
import { isMapping, text } from "../../graph/values/values.js";
import { type Inputs, inputOf } from "../agent.js";

export const bad = (message: string): AgentError => new AgentError("agent_failed", message);

const QUERY = ["filter", "sort", "order", "limit", "offset"];

/** The query of the settings, with the values of inputs filled in. */
export function queryOf(query: Inputs, inputs: Inputs): StorageQuery {
  const unknown = Object.keys(query).find((name) => !QUERY.includes(name));
  if (unknown !== undefined) throw bad(`"query" has no "${unknown}"; it has ${QUERY.join(", ")}`);
  const { filter = {}, sort, order, limit, offset } = query;
  if (!isMapping(filter)) throw bad('"filter" must be a mapping from fields to criteria');
  const criteria = Object.entries(filter).map(([field, one]) => [field, criteriaOf(one, inputs)] as const);
  return {
    filter: Object.fromEntries(criteria),
    ...(sort === undefined ? {} : { sort: texts("sort", sort) }),
    ...(order === undefined ? {} : { order: orders(order) }),
    ...(limit === undefined ? {} : { limit: count("limit", limit) }),
    ...(offset === undefined ? {} : { offset: count("offset", offset) }),
  };
}

/** A list of criteria is met when one of them is. */
function criteriaOf(criterion: unknown, inputs: Inputs): Json {
  if (!Array.isArray(criterion)) return criterionOf(criterion, inputs);
  return criterion.flatMap((one: unknown) => criterionOf(one, inputs));
}

/** `{"input": "city"}` is the value of an input, with the operator `is` before it. */
function criterionOf(criterion: unknown, inputs: Inputs): Json {
  if (!isMapping(criterion)) return criterion as Json;
  const { input, is = "=", ...more } = criterion;
  if (typeof input !== "string" || !OPERATORS.includes(is) || Object.keys(more).length > 0)
    throw bad('a criterion is a value, or {"input": "name", "is": "="} with =, <>, <, >, <= or >=');
  const value = inputOf(inputs, input);
  if (Array.isArray(value) && is === "=") return value.map((one) => `=${literal(one)}`);
  if (value === undefined || (typeof value === "object" && value !== null))
    throw bad(`the input "${input}" is ${describeValue(value)}, which nothing can be compared with`);
  return is + (is === "=" || is === "<>" ? literal(value) : text(value));
}

const OPERATORS: readonly unknown[] = ["=", "<>", "<", ">", "<=", ">="];

/** An input of the filter without a value; null when all have one. */
export function emptyInput({ filter }: Inputs, inputs: Inputs): string | null {
  const criteria = Object.values(isMapping(filter) ? filter : {}).flat();
  const names = criteria.map((one) => (isMapping(one) ? String(one["input"]) : null));
  const isEmpty = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isEmpty) : text(value).trim() === "";
  return names.find((name) => name !== null && isEmpty(inputOf(inputs, name))) ?? null;
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
