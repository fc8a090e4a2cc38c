import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { clip, quoted } from "../../../compiler/diagnostics/visible.js";
import type { FieldType } from "../../../compiler/ir.js";
import { describeValue } from "../../../compiler/types/describe-value.js";
import { readAs } from "../../../compiler/types/fits.js";
import { formatType } from "../../../compiler/types/format-type.js";
import type { AnyGraph, Json, StateData, TakeSpec } from "../../graph/contract/contract.js";
import { inputsByField } from "../../graph/link/by-field.js";
import { outputsOf } from "../../graph/link/table.js";
import { dataOf, isReserved } from "../../graph/values/values.js";
import { StoreError } from "../store-error.js";

/** What a fork sets: values, and values as they are written on a command line. */
export interface Wanted {
  readonly set?: StateData;
  /** As JSON where that fits the field, else as the text itself. */
  readonly written?: { readonly [field: string]: string };
}

/** The values of a fork as data for fields of a graph. Refuses fields that it has not, and values that do not fit. */
export function readSet(graph: AnyGraph, { set = {}, written = {} }: Wanted): StateData {
  const fields = fieldsOf(graph.definition);
  const values: { [field: string]: Json } = {};
  for (const field of Object.keys(set)) {
    const types = fields.typesOf(field);
    values[field] = read(dataIn(field, set[field]), types) ?? misfit(field, set[field], types);
  }
  for (const [field, text] of Object.entries(written)) {
    const types = fields.typesOf(field);
    const json = jsonIn(text);
    const value = (json === undefined ? undefined : read(json, types)) ?? read(text, types);
    values[field] = value ?? misfit(field, json ?? text, types);
  }
  return values;
}

interface Types {
  /** A value must fit all of these. */
  readonly read: readonly FieldType[];
  /** And one of these, when there are any. */
  readonly written: readonly FieldType[];
}

function fieldsOf({ name, inputs, contract, nodes }: AnyGraph["definition"]) {
  const given = inputsByField(inputs);
  const outputs = Object.values(nodes).flatMap(outputsOf);
  const takes = Object.values(nodes).flatMap((node) => listOf(node.takes));
  const taken = takes.map(({ param, field = param }) => field);
  const known = new Set([...Object.keys(given), ...outputs.map(({ field }) => field), ...taken, "error"]);
  // Only sheets and generated modules say what they read.
  const isOpen = inputs === undefined && contract === undefined;
  return {
    typesOf: (field: string): Types => {
      if (isReserved(field) || !(isOpen || known.has(field))) throw unknownField(name, field, known);
      const whole = takes.filter(
        ({ param, field: from = param, path = [] }) => from === field && path.length === 0,
      );
      const asked = Object.hasOwn(given, field) ? (given[field]?.types ?? []) : [];
      return {
        read: [...asked, ...whole.map(({ type }) => type)],
        written: outputs.flatMap((one) => (one.field === field && one.type !== undefined ? [one.type] : [])),
      };
    },
  };
}

const listOf = (takes: TakeSpec | readonly TakeSpec[] = []): readonly TakeSpec[] =>
  Array.isArray(takes) ? takes : [takes as TakeSpec];

function unknownField(graph: string, field: string, known: ReadonlySet<string>): StoreError {
  const near = suggest(field, known);
  const help = near === null ? `it has ${[...known].join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  return refusal(field, `the graph ${JSON.stringify(graph)} has no field ${quoted(field)}`, help);
}

function dataIn(field: string, value: unknown): Json {
  const refuse = (what: string): never => {
    throw refusal(field, `${quoted(field)} was given ${what}`);
  };
  return dataOf(value, { refuse }) ?? refuse("no value");
}

/** Text is converted, as a node's would be. Undefined when it does not fit. */
function read(value: Json, { read: all, written }: Types): Json | undefined {
  let found: Json | undefined = value;
  for (const type of all) found = found === undefined ? undefined : readAs(found, type);
  if (found === undefined || written.length === 0) return found;
  const fitting = found;
  return written.map((type) => readAs(fitting, type)).find((one) => one !== undefined);
}

function misfit(field: string, value: Json | undefined, { read: all, written }: Types): never {
  const [type] = [...all, ...written];
  const wanted = type === undefined ? "data" : formatType(type);
  throw refusal(field, `${quoted(field)} must be ${wanted}, not ${describeValue(value)}`);
}

/** So much of a name a pointer holds. */
const LONGEST = 256;

const refusal = (field: string, message: string, help?: string): StoreError =>
  new StoreError("input_invalid", message, {
    pointer: `/set/${clip(field, LONGEST).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    ...(help === undefined ? {} : { help }),
  });

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
