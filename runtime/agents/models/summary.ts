import type { AgentContext, Json, Outcome, Settings } from "../../graph/contract/contract.js";
import { text } from "../../graph/values/values.js";
import type { Inputs } from "../agent.js";
import { askModel } from "./ask-model.js";

/** Joins its inputs to one text. With `llm`, a model summarizes it. */
export function summary(inputs: object, context: AgentContext): Outcome<string> {
  const joined = join(inputs as Inputs, context.settings);
  const { llm } = context.settings;
  // Without a text, a model would invent something.
  return llm === undefined || llm === false || joined.trim() === "" ? joined : sumUp(joined, context);
}

/** The setting may name the provider, and the prompt may change the instruction. */
async function sumUp(joined: string, context: AgentContext): Promise<string> {
  const { prompt = "Sum up this text in a few sentences.", settings } = context;
  const { llm } = settings;
  const provider = typeof llm === "string" ? { provider: llm } : {};
  return text(await askModel(context, { prompt: `${prompt}\n\n${joined}`, ...provider }));
}

/** Unset inputs are left out, with their separators. */
function join(inputs: Inputs, { format, separator, include_keys: keys }: Settings): string {
  const template = typeof format === "string" ? format : keys === true ? "{key}: {value}" : "{value}";
  const lines = chosen(inputs, keys)
    .filter((key) => inputs[key] !== undefined && inputs[key] !== null)
    .map((key) => fill(template, key, text(inputs[key])));
  return lines.join(typeof separator === "string" ? separator : "\n");
}

/** The inputs to join: all, or those of a list in its order. */
function chosen(inputs: Inputs, keys: Json | undefined): readonly string[] {
  const all = Object.keys(inputs);
  const names = typeof keys === "string" ? keys.split(/[|,;\n]/).map((name) => name.trim()) : keys;
  return Array.isArray(names) ? names.map(text).filter((name) => all.includes(name)) : all;
}

/** One pass: values are not searched for placeholders. As in prompts, `{{key}}` is the text `{key}`. */
function fill(template: string, key: string, value: string): string {
  return template.replace(/\{\{(key|value)\}\}|\{\s*(key|value)\s*\}/g, (_, plain?: string, name?: string) =>
    plain !== undefined ? `{${plain}}` : name === "key" ? key : value,
  );
}
