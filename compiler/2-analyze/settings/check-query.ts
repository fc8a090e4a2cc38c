import type { Json, JsonEntry, JsonSpot } from "../../ir.js";
import { isRecord } from "./settings.js";

export const QUERY_PARTS = ["filter", "sort", "order", "limit", "offset"];

const OPERATORS: readonly Json[] = ["=", "<>", "<", ">", "<=", ">="];

export interface QueryFault {
  readonly name: string;
  readonly spot: JsonSpot;
  readonly expected: string;
}

/** Parts of a query that hold something else than they should. */
export const queryFaults = (query: JsonSpot, mode: Json | undefined): readonly QueryFault[] =>
  (query.entries ?? []).flatMap(({ key, spot }) => {
    if ((mode === "update" || mode === "delete") && key !== "filter" && QUERY_PARTS.includes(key))
      return [
        { name: `query.${key}`, spot, expected: `left out: ${mode} takes all entries that filter means` },
      ];
    const expected = QUERY_PARTS.includes(key) ? expectations[key]!(spot.value) : null;
    if (expected !== null) return [{ name: `query.${key}`, spot, expected }];
    return key === "filter" ? (spot.entries ?? []).flatMap(criterionFault) : [];
  });

/** By part, the text of what its value should be; null when the value is good. */
const expectations: { readonly [part: string]: (value: Json) => string | null } = {
  filter: (value) => (isRecord(value) ? null : "an object from fields to criteria"),
  sort: (value) => (listed(value).every(isName) ? null : "the name of a field, or a list of them"),
  order: (value) => (listed(value).every(isOrder) ? null : '"asc" or "desc", or a list of them'),
  limit: (value) => (isCount(value) ? null : "a whole number, 0 or more"),
  offset: (value) => (isCount(value) ? null : "a whole number, 0 or more"),
};

const listed = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
const isName = (value: Json): boolean => typeof value === "string" && value !== "";
const isOrder = (value: Json): boolean => value === "asc" || value === "desc";
const isCount = (value: Json): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function criterionFault({ key, spot }: JsonEntry): readonly QueryFault[] {
  return [spot, ...(spot.items ?? [])].flatMap((one) => {
    const expected = criterionExpectation(one.value);
    return expected === null ? [] : [{ name: `query.filter.${key}`, spot: one, expected }];
  });
}

/** The text of what a criterion should be; null when it means something. */
export function criterionExpectation(value: Json): string | null {
  if (typeof value === "string") return operatorExpectation(value);
  if (!isRecord(value)) return null;
  const { input, is = "=", ...more } = value;
  if (typeof input === "string" && OPERATORS.includes(is) && Object.keys(more).length === 0) return null;
  return 'a criterion, or {"input": "name", "is": ">="} with =, <>, <, >, <= or >=';
}

/** Operators of programming languages would be texts to look for here. */
const FOREIGN: { readonly [operator: string]: string } = { "!=": "<>", "==": "=", "=>": ">=", "=<": "<=" };

function operatorExpectation(criterion: string): string | null {
  const operator = criterion.trimStart().slice(0, 2);
  const meant = Object.hasOwn(FOREIGN, operator) ? FOREIGN[operator] : undefined;
  return meant === undefined ? null : `a criterion, in which ${operator} is written ${meant}`;
}
