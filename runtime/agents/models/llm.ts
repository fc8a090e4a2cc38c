import type { AgentContext } from "../../graph/contract/contract.js";
import { text } from "../../graph/values/values.js";
import { askModel } from "./ask-model.js";

type ModelAgent = <R = string>(inputs: object, context: AgentContext) => Promise<R>;

/** Asks a hosted language model; the rendered prompt is the message. */
export const llm: ModelAgent = (inputs, context) => ask(inputs, context);

/** The same, asking OpenAI unless the settings name a provider. */
export const openai: ModelAgent = (inputs, context) => ask(inputs, context, "openai");

/** The same, asking Anthropic unless the settings name a provider. */
export const anthropic: ModelAgent = (inputs, context) => ask(inputs, context, "anthropic");

/** The same, asking Google unless the settings name a provider. */
export const google: ModelAgent = (inputs, context) => ask(inputs, context, "google");

function ask<R>(inputs: object, context: AgentContext, provider?: string): Promise<R> {
  const { settings, outputs } = context;
  const choices = settings["choices"];
  return askModel(context, {
    prompt: messageOf(inputs, context),
    outputs,
    ...(Array.isArray(choices) ? { choices: choices.map(text) } : {}),
    ...(provider === undefined ? {} : { provider }),
  }) as Promise<R>;
}

function messageOf(inputs: object, { prompt }: AgentContext): string {
  const message = prompt ?? textOf(inputs);
  if (message.trim() === "") throw new Error("there is nothing to ask: the rendered prompt is empty");
  return message;
}

/** The only input, or all of them as JSON. */
function textOf(inputs: object): string {
  const values: readonly unknown[] = Object.values(inputs);
  if (values.every((value) => value === undefined || value === null)) return "";
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(inputs, null, 2);
}
