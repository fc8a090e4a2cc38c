import type { AgentContext, Json } from "../graph/contract/contract.js";
import { text } from "../graph/values/values.js";
import { askModel } from "./ask-model.js";

/** Asks a hosted language model; the rendered prompt is the message. */
export function llm<R = string>(inputs: object, context: AgentContext): Promise<R> {
  return answered(inputs, context, undefined) as Promise<R>;
}

/** The same, asking OpenAI unless the settings name a provider. */
export function openai<R = string>(inputs: object, context: AgentContext): Promise<R> {
  return answered(inputs, context, "openai") as Promise<R>;
}

/** The same, asking Anthropic unless the settings name a provider. */
export function anthropic<R = string>(inputs: object, context: AgentContext): Promise<R> {
  return answered(inputs, context, "anthropic") as Promise<R>;
}

/** The same, asking Google unless the settings name a provider. */
export function google<R = string>(inputs: object, context: AgentContext): Promise<R> {
  return answered(inputs, context, "google") as Promise<R>;
}

function answered(inputs: object, context: AgentContext, provider: string | undefined): Promise<Json> {
  const { settings, outputs } = context;
  const choices = settings["choices"];
  return askModel(context, {
    prompt: messageOf(inputs, context),
    outputs,
    ...(Array.isArray(choices) ? { choices: choices.map(text) } : {}),
    ...(provider === undefined ? {} : { provider }),
  });
}

/** The prompt; without one the only input, or all of them as JSON. */
function messageOf(inputs: object, { prompt }: AgentContext): string {
  const values: readonly unknown[] = Object.values(inputs);
  const [only] = values;
  const message = prompt ?? (values.length === 1 && typeof only === "string" ? only : jsonOf(inputs));
  if (message.trim() === "") throw new Error("there is nothing to ask: the rendered prompt is empty");
  return message;
}

const jsonOf = (inputs: object): string =>
  Object.values(inputs).every((value) => value === undefined || value === null)
    ? ""
    : JSON.stringify(inputs, null, 2);
