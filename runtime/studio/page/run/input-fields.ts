import { server } from "../connection/present.js";
import { type NodesOfWorkflow, withoutField } from "./without-field.js";

/** A field that a run may or must be given. */
export interface InputField {
  readonly name: string;
  readonly kind: "text" | "number" | "yes or no" | "JSON";
  /** The texts to choose from; null for free text. */
  readonly choices: readonly string[] | null;
  readonly isRequired: boolean;
  /** What becomes of an optional field that is not given. */
  readonly without: string;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: unknown;
  readonly allOf?: unknown;
}

interface Inputs {
  readonly properties: { readonly [name: string]: Schema };
  readonly required: readonly string[];
}

interface Workflow extends NodesOfWorkflow {
  readonly inputs: Inputs;
}

/** The fields that a workflow may be given, those that it must be given first. */
export async function inputFields(workflow: string): Promise<readonly InputField[]> {
  const response = await server().ask(`../workflows/${encodeURIComponent(workflow).replaceAll("%2F", "/")}`);
  const described = (await response.json()) as Workflow;
  const { inputs } = described;
  const fields = Object.entries(inputs.properties).map(([name, schema]): InputField => {
    const isRequired = inputs.required.includes(name);
    const kind = kindOf(schema);
    const choices = kind === "yes or no" ? ["true", "false"] : (schema.enum ?? null);
    return { name, kind, choices, isRequired, without: isRequired ? "" : withoutField(name, described) };
  });
  return fields.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function kindOf({ type, anyOf, allOf }: Schema): InputField["kind"] {
  if (type === "number") return "number";
  if (type === "boolean") return "yes or no";
  const isText = (type === undefined || type === "string") && anyOf === undefined && allOf === undefined;
  return isText ? "text" : "JSON";
}

/** A text that is no value of its field's type. */
export class WrongValue extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The values of what was typed. A field that is not needed and left empty is not given. */
export function typed(
  fields: readonly InputField[],
  texts: ReadonlyMap<string, string>,
): { readonly [name: string]: unknown } {
  const values = fields.flatMap((field): [string, unknown][] => {
    const text = texts.get(field.name) ?? "";
    return text === "" && !field.isRequired ? [] : [[field.name, valueFrom(field, text)]];
  });
  return Object.fromEntries(values);
}

function valueFrom({ name, kind }: InputField, text: string): unknown {
  if (kind === "text") return text;
  if (kind === "yes or no") return text === "true";
  try {
    const value: unknown = JSON.parse(text);
    if (kind === "JSON" || typeof value === "number") return value;
  } catch {
    // Said below, as for a value of another type.
  }
  throw new WrongValue(name, `it must be ${kind === "number" ? "a number" : "JSON, such as [1, 2]"}`);
}
