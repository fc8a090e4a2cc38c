import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { ComputeTree, FieldIR, FieldType, GraphIR, Json, NodeIR } from "../../compiler/ir.js";
import { convert, jsonOf } from "../../compiler/types/convert.js";
import { describeValue } from "../../compiler/types/describe-value.js";
import { choicesOf, isNumber, isOpen, isString, isUnion } from "../../compiler/types/field-type.js";
import { fits } from "../../compiler/types/fits.js";
import { formatType } from "../../compiler/types/format-type.js";
import { pointed } from "../../compiler/types/pointed.js";
import { givenProblem } from "../agents/asking/human.js";
import type { Given } from "../graph/contract/contract.js";
import { at } from "../graph/values/values.js";
import type { GivenProblem } from "./given-error.js";

export interface CheckedGiven {
  readonly problems: readonly GivenProblem[];
  /** Unknown fields are warned of, and kept. */
  readonly unknown: readonly GivenProblem[];
}

const NOTHING: CheckedGiven = { problems: [], unknown: [] };

/** Prepares the check once for all runs of a graph. The valid case is fast; only failures compute messages. */
export function createGivenCheck(graph: GraphIR): (given: Given) => CheckedGiven {
  const fields = new Map(graph.fields.map((field) => [field.name, field]));
  const required = graph.fields.filter(({ input }) => input === "required");
  const inner = innerChecks(graph);
  const asking = graph.nodes.filter(({ agent }) => agent.builtin && agent.type === "human");
  return (given) => {
    const names = Object.keys(given);
    const isFine =
      required.every(({ name }) => isGiven(given, name)) &&
      names.every((name) => fields.get(name)?.checks.every((type) => fits(given[name], type)) === true) &&
      inner.every((check) => isMet(check, given)) &&
      asking.length === 0;
    if (isFine) return NOTHING;
    const { problems, unknown } = explain(graph, given, fields);
    const told = new Set(problems.map(({ field }) => field));
    const unmet = inner.filter((check) => !told.has(check.field) && !isMet(check, given));
    const answers = names.filter((name) => !told.has(name)).flatMap((name) => noAnswer(asking, given, name));
    return {
      problems: [...problems, ...unmet.map((check) => innerProblem(check, given)), ...answers],
      unknown,
    };
  };
}

/** A problem only when none of the nodes that ask for the field accepts the value. */
function noAnswer(asking: readonly NodeIR[], given: Given, field: string): readonly GivenProblem[] {
  const value = given[field];
  if (value === undefined) return [];
  const problems = asking
    .filter(({ writes }) => writes.some((write) => write.field === field && write.key !== "comment"))
    .map(({ settings, writes }) => {
      const outputs = writes.map(({ key, field: name, type, annotated }) => ({
        key,
        field: name,
        type: annotated && type !== null ? type : undefined,
      }));
      return givenProblem({ settings, outputs }, field, value as Json);
    });
  const [first] = problems;
  if (first === undefined || problems.includes(null)) return [];
  return [
    { field, message: `input "${field}" is no answer: ${first}, not ${describeValue(value)}`, help: null },
  ];
}

/** A type annotation on a path inside a field that only the caller sets. */
interface InnerCheck {
  readonly field: string;
  readonly path: readonly string[];
  readonly type: FieldType;
  readonly optional: boolean;
}

function innerChecks({ nodes, fields }: GraphIR): readonly InnerCheck[] {
  const given = new Set(fields.flatMap(({ name, writers }) => (writers.length === 0 ? [name] : [])));
  return nodes.flatMap(({ reads }) =>
    reads.flatMap(({ field, path, type, optional }) =>
      path.length === 0 || type === null || !given.has(field) ? [] : [{ field, path, type, optional }],
    ),
  );
}

function isMet({ field, path, type, optional }: InnerCheck, given: Given): boolean {
  if (!isGiven(given, field)) return true;
  const value = at(given[field], ...path);
  return value === undefined ? optional : fits(value, type);
}

function innerProblem({ field, path, type }: InnerCheck, given: Given): GivenProblem {
  const value = describeValue(at(given[field], ...path));
  const message = `input "${[field, ...path].join(".")}" must be ${formatType(type)}, not ${value}`;
  return { field, message, help: null };
}

const isGiven = (given: Given, name: string): boolean =>
  Object.hasOwn(given, name) && given[name] !== undefined;

function explain(graph: GraphIR, given: Given, fields: ReadonlyMap<string, FieldIR>): CheckedGiven {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const spare = names.filter((name) => !fields.has(name));
  const missing = graph.fields.filter(({ name, input }) => input === "required" && !isGiven(given, name));
  const open = [...fields.keys()].filter((name) => !isGiven(given, name));
  return {
    problems: [
      ...missing.map((field) => missingProblem(graph, field, spare)),
      ...names.flatMap((name) => wrongTypes(fields.get(name), given[name])),
    ],
    unknown: spare.map((name) => {
      const meant = suggest(name, open);
      const help = meant === null ? null : `did you mean "${meant}"?`;
      return { field: name, message: `graph "${graph.name}" knows no field "${name}"`, help };
    }),
  };
}

function missingProblem(graph: GraphIR, field: FieldIR, spare: readonly string[]): GivenProblem {
  const meant = suggest(field.name, spare);
  const readers = field.readers.map((v) => `"${graph.nodes[v]?.name}"`).slice(0, 3);
  const help =
    meant === null
      ? `it is read by ${readers.join(", ")}`
      : `"${meant}" was given: did you mean "${field.name}"?`;
  return { field: field.name, message: `input "${field.name}" is missing`, help };
}

function wrongTypes(field: FieldIR | undefined, value: unknown): readonly GivenProblem[] {
  const wanted = field?.checks.find((type) => !fits(value, type));
  if (field === undefined || wanted === undefined) return [];
  const message = `input "${field.name}" must be ${formatType(wanted)}, not ${describeValue(value)}`;
  const meant = typeof value === "string" ? suggest(value, choicesOf(wanted)) : null;
  const isLeftOut = value === null && field.input !== "required";
  const otherHelp = isLeftOut ? "leave it out where there is none" : numberHelp(wanted, value);
  const help = meant === null ? otherHelp : `did you mean "${meant}"?`;
  return [{ field: field.name, message, help }];
}

/** A comma before the fraction is no point. */
function numberHelp(type: FieldType, value: unknown): string | null {
  const meant = isNumber(type) && typeof value === "string" ? pointed(value) : null;
  return meant === null ? null : `write ${meant}`;
}

/** Converts the text to the field's type; without a type it stays text. */
export function readInput(
  graph: GraphIR,
  name: string,
  text: string,
): { readonly value: Json } | { readonly problem: GivenProblem } {
  const field = graph.fields.find((one) => one.name === name);
  const type = field?.checks.find((one) => !isOpen(one)) ?? field?.type;
  const opened = field === undefined ? null : openedBy(graph, field);
  if (opened === "all") return readOpened(name, text);
  if (opened === "some" && isData(jsonOf(text))) return { value: jsonOf(text) ?? null };
  if (type === undefined || isOpen(type) || isUnion(type) || isString(type)) return { value: text };
  const converted = convert(text, type);
  if ("value" in converted) return converted;
  // The later check suggests a similar choice.
  if (choicesOf(type).length > 0) return { value: text };
  const message = `input "${name}" must be ${formatType(type)}, not ${describeValue(text)}`;
  return { problem: { field: name, message, help: numberHelp(type, text) } };
}

/**
 * How many readers use paths inside the field. When all do, it cannot be plain text. When some do,
 * text that is JSON data is meant as data, although others put the whole of it into a prompt.
 */
function openedBy(graph: GraphIR, { name, checks, readers }: FieldIR): "all" | "some" | null {
  if (checks.length > 0) return null;
  const nodes = readers.flatMap((v) => graph.nodes[v] ?? []);
  const reads = nodes.flatMap((node) => node.reads).filter(({ field }) => field === name);
  if (reads.some(({ path }) => path.length > 0))
    return reads.every(({ path }) => path.length > 0) ? "all" : "some";
  return nodes.some((node) => looksInside(node, name)) ? "some" : null;
}

/** `{order.total}` in a prompt and `order.total` in a formula need data, too. */
function looksInside({ reads, prompt, compute }: NodeIR, name: string): boolean {
  const params = new Set(reads.flatMap(({ field, param }) => (field === name ? [param] : [])));
  const isInside = ([head = "", ...path]: readonly string[]): boolean => path.length > 0 && params.has(head);
  return (
    prompt?.some((part) => typeof part !== "string" && isInside(part)) === true ||
    (compute !== undefined && isReadInside(compute.tree, isInside))
  );
}

function isReadInside(tree: ComputeTree, isInside: (path: readonly string[]) => boolean): boolean {
  if (tree.is === "read") return isInside([tree.param, ...tree.path]);
  return tree.is === "call" && tree.args.some((part) => isReadInside(part, isInside));
}

const isData = (value: unknown): boolean => typeof value === "object" && value !== null;

function readOpened(name: string, text: string): ReturnType<typeof readInput> {
  const value = jsonOf(text);
  if (value !== undefined && isData(value)) return { value };
  const message = `input "${name}" must be a list or an object as JSON, not ${describeValue(text)}`;
  return { problem: { field: name, message, help: "what reads it looks inside" } };
}
