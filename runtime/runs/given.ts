import { formatType } from "../../compiler/2-analyze/index.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { FieldIR, FieldType, GraphIR, Json } from "../../compiler/ir.js";
import { convert } from "../graph/convert.js";

/** A value that a run cannot start with, and what would do. */
export interface GivenProblem {
  readonly field: string;
  readonly message: string;
  readonly help: string | null;
}

/** The checked start of a run. */
export interface CheckedGiven {
  readonly problems: readonly GivenProblem[];
  /** Fields that the graph does not know; they are kept. */
  readonly unknown: readonly GivenProblem[];
}

export interface StateData {
  readonly [field: string]: Json;
}

/** Checks what a caller gives against what the graph asks for. Linear in the fields and values. */
export function checkGiven(graph: GraphIR, given: StateData): CheckedGiven {
  const fields = new Map(graph.fields.map((field) => [field.name, field]));
  const spare = Object.keys(given).filter((name) => !fields.has(name));
  const missing = graph.fields.filter(
    ({ name, input }) => input === "required" && !Object.hasOwn(given, name),
  );
  const problems = [
    ...missing.map((field) => missingProblem(graph, field, spare)),
    ...Object.entries(given).flatMap(([name, value]) => wrongTypes(fields.get(name), value)),
  ];
  const known = [...fields.keys()].filter((name) => !Object.hasOwn(given, name));
  return { problems, unknown: spare.map((name) => unknownField(graph, name, suggest(name, known))) };
}

function missingProblem(graph: GraphIR, field: FieldIR, spare: readonly string[]): GivenProblem {
  const meant = suggest(field.name, spare);
  const readers = field.readers
    .map((v) => `"${graph.nodes[v]?.name}"`)
    .slice(0, 3)
    .join(", ");
  const help =
    meant === null ? `it is read by ${readers}` : `"${meant}" was given: did you mean "${field.name}"?`;
  return { field: field.name, message: `input "${field.name}" is missing`, help };
}

function unknownField(graph: GraphIR, name: string, meant: string | null): GivenProblem {
  const message = `graph "${graph.name}" knows no field "${name}"`;
  return { field: name, message, help: meant === null ? null : `did you mean "${meant}"?` };
}

function wrongTypes(field: FieldIR | undefined, value: Json): readonly GivenProblem[] {
  const wanted = field?.checks.find((type) => !matches(value, type));
  if (field === undefined || wanted === undefined) return [];
  const message = `input "${field.name}" must be ${formatType(wanted)}, not ${describe(value)}`;
  return [{ field: field.name, message, help: null }];
}

/** Whether a JSON value is of a type. */
export function matches(value: Json, type: FieldType): boolean {
  switch (type.kind) {
    case "any":
    case "unknown":
      return true;
    case "string":
    case "number":
    case "boolean":
      return typeof value === type.kind;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "list":
      return Array.isArray(value);
    case "list-of":
      return Array.isArray(value) && value.every((item: Json) => matches(item, { kind: type.item }));
    case "choice":
      return typeof value === "string" && type.values.includes(value);
    case "union":
      return type.members.some((member) => matches(value, member));
  }
}

function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const READ_AS_JSON: readonly FieldType["kind"][] = ["number", "boolean", "list", "list-of", "object"];

/** Reads `name=text` as the field's type asks: numbers, booleans, lists and objects; otherwise it is text. */
export function readInput(
  graph: GraphIR,
  name: string,
  text: string,
): { readonly value: Json } | { readonly problem: GivenProblem } {
  const field = graph.fields.find((one) => one.name === name);
  const type = field?.checks.find(({ kind }) => kind !== "any") ?? field?.type;
  if (type === undefined || !READ_AS_JSON.includes(type.kind)) return { value: text };
  const converted = convert(text, type);
  if ("value" in converted) return converted;
  const message = `input "${name}" must be ${formatType(type)}, not ${describe(text)}`;
  return { problem: { field: name, message, help: null } };
}
