import { type Converted, convert } from "./convert.js";
import { type FieldType, isObject, isOpen, type Json, OBJECT, STRING } from "./field-type.js";
import { type JsonSchema, typeSchema } from "./json-schema.js";

export type AnswerForm =
  | { readonly kind: "text" }
  | { readonly kind: "one-of"; readonly choices: readonly string[]; readonly type: FieldType | undefined }
  | { readonly kind: "data"; readonly outputs: readonly Output[]; readonly isMapping: boolean };

export interface Output {
  readonly key: string;
  readonly type: FieldType | undefined;
}

export function formOf(outputs: readonly Output[], choices: readonly string[] | undefined): AnswerForm {
  const [only] = outputs;
  if (outputs.length > 1) return { kind: "data", outputs: withChoices(outputs, choices), isMapping: true };
  if (choices !== undefined && choices.length > 0) return { kind: "one-of", choices, type: only?.type };
  const type = only?.type ?? STRING;
  if (type.kind === "choice") return { kind: "one-of", choices: type.values, type };
  if (only === undefined || type.kind === "string" || isOpen(type)) return { kind: "text" };
  // An output of the type object takes the whole mapping.
  return { kind: "data", outputs: [only], isMapping: isObject(type) };
}

/** Among several outputs the first one without a type takes the choices. */
function withChoices(outputs: readonly Output[], choices: readonly string[] | undefined): readonly Output[] {
  if (choices === undefined || choices.length === 0) return outputs;
  const first = outputs.find(({ type }) => type === undefined);
  const type: FieldType = { kind: "choice", values: choices };
  return outputs.map((output) => (output === first ? { ...output, type } : output));
}

/** The root is an object, since providers require it. */
export function schemaOf(form: AnswerForm): JsonSchema | undefined {
  if (form.kind !== "data") return undefined;
  const { outputs } = form;
  if (isWhole(form)) return typeSchema(OBJECT);
  const properties = Object.fromEntries(outputs.map(({ key, type }) => [key, typeSchema(type ?? STRING)]));
  return { type: "object", properties, required: outputs.map(({ key }) => key), additionalProperties: false };
}

const isWhole = ({ outputs, isMapping }: Extract<AnswerForm, { kind: "data" }>): boolean =>
  isMapping && outputs.length === 1;

export function understand(text: string, form: AnswerForm): Converted {
  if (form.kind === "text") return { value: text };
  if (form.kind === "one-of") return chosen(text, form);
  const data = jsonIn(text);
  if (isWhole(form)) return isMapping(data) ? { value: data as Json } : { problem: "it is no JSON object" };
  return form.isMapping ? entries(data, form.outputs) : single(data, form.outputs[0]!);
}

function chosen(text: string, { choices, type }: Extract<AnswerForm, { kind: "one-of" }>): Converted {
  const choice = matching(text, choices);
  if (choice === undefined) return { problem: `it must be one of: ${choices.join(", ")}` };
  return type === undefined ? { value: choice } : convert(choice, type);
}

/** Compares the text as it is, then without quotes and the like, then without spaces between words. */
function matching(text: string, choices: readonly string[]): string | undefined {
  for (const form of [trimmed, unwrapped, joined]) {
    const wanted = form(text);
    const alike = wanted === "" ? [] : choices.filter((choice) => form(choice) === wanted);
    // With several matches any choice would be a guess.
    if (alike.length > 0) return alike.length === 1 || form === trimmed ? alike[0] : undefined;
  }
  return undefined;
}

const trimmed = (text: string): string => text.trim();

/** Removes the quotes, brackets, stars and stops that models put around an answer. A minus before a digit stays. */
const unwrapped = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^\s*[-\u2022]\s+(?=\p{L})/u, "")
    .replace(
      /^[\s"'`*_\u201c\u201d\u2018\u2019\u00ab\u00bb([{]+|[\s"'`*_\u201c\u201d\u2018\u2019\u00ab\u00bb)\]}.,:;!?]+$/gu,
      "",
    );

/** "follow_up", "Follow-up" and "follow up" are the same words. */
const joined = (text: string): string => unwrapped(text).replace(/(?<=\p{L})[\s_-]+(?=\p{L})/gu, "");

function entries(data: unknown, outputs: readonly Output[]): Converted {
  if (!isMapping(data)) return { problem: "it is no JSON object" };
  const value: { [key: string]: Json } = {};
  for (const { key, type } of outputs) {
    const read = entry(data, key, type ?? STRING);
    if ("problem" in read) return read;
    value[key] = read.value;
  }
  return { value };
}

function entry(data: { readonly [key: string]: unknown }, key: string, type: FieldType): Converted {
  if (!Object.hasOwn(data, key)) return { problem: `${JSON.stringify(key)} is missing` };
  const read = fitted(data[key] as Json, type);
  return "problem" in read ? { problem: `${JSON.stringify(key)}: ${read.problem}` } : read;
}

/** A single typed output is asked for in an object; the value alone is understood as well. */
function single(data: unknown, { key, type = STRING }: Output): Converted {
  if (data === undefined) return { problem: "it is no JSON" };
  if (isMapping(data)) return entry(data, key, type);
  return fitted(data as Json, type);
}

function fitted(value: Json, type: FieldType): Converted {
  if (value === null && !isOpen(type)) return { problem: "it is null" };
  if (type.kind === "choice" && typeof value === "string")
    return chosen(value, { kind: "one-of", choices: type.values, type });
  return convert(value, type);
}

/** The JSON in an answer, also when there are words or a code fence around it; undefined when there is none. */
function jsonIn(text: string): unknown {
  // The last block, since an earlier one may be a draft.
  const fenced = [...text.matchAll(/```(?:json)?\s*([\s\S]*?)```/gi)].at(-1)?.[1];
  for (const piece of [text, fenced, between(text, "{", "}"), between(text, "[", "]")]) {
    if (piece === undefined) continue;
    try {
      return JSON.parse(piece) as unknown;
    } catch {}
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}

const isMapping = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
