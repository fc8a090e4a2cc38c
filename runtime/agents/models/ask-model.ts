import {
  type AnswerForm,
  formOf,
  type Output,
  schemaOf,
  understand,
} from "../../../compiler/types/answer-form.js";
import type { AgentContext, Json, Settings } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { Generated, LanguageModels, ModelRequest, Turn } from "../../graph/contract/services.js";
import { defaultServices } from "../default-services.js";
import { fallbacksOf } from "./fallbacks.js";

export interface Question {
  readonly prompt: string;
  readonly system?: string;
  /** The provider, unless the setting `provider` names one. */
  readonly provider?: string;
  readonly choices?: readonly string[];
  /** The outputs of the answer. Without them it is text, or one of the choices. */
  readonly outputs?: readonly Output[];
}

/** Asks a model for text, a choice, or data. An answer that does not fit is asked for once more. */
export async function askModel(context: AgentContext, question: Question): Promise<Json> {
  // Read now, because a later attempt has another signal.
  const { signal, log, settings, graph, node } = context;
  const models = context.services.llm ?? (await ownModels());
  const form = formOf(question.outputs ?? [], question.choices);
  const memory = textOf(settings, "memory_key");
  const history = memory === undefined ? [] : context.recall(memory);
  const generate: Generate = async (request) => {
    const generated = await models.generate(request, { signal, log, from: { graph, node } });
    context.spend(generated.usage);
    return generated;
  };
  const { value, text } = await ask(generate, requestOf(settings, question, form, history), form);
  if (signal.aborted) throw signal.reason;
  if (memory !== undefined) {
    context.remember(memory, [
      { role: "user", text: question.prompt },
      { role: "assistant", text },
    ]);
  }
  return value;
}

async function ownModels(): Promise<LanguageModels> {
  const { llm } = await defaultServices();
  if (llm === undefined) throw new AgentError("provider_failed", "there are no language models");
  return llm;
}

type Generate = (request: ModelRequest) => Promise<Generated>;

async function ask(generate: Generate, request: ModelRequest, form: AnswerForm) {
  const first = await generate(request);
  const understood = understand(first.text, form);
  if ("value" in understood) return { value: understood.value, text: first.text };
  if (first.source !== undefined) throw misfit(first, `: ${understood.problem}; ${first.source} is`);
  const second = await generate(again(request, first, understood.problem));
  const repaired = understand(second.text, form);
  if ("value" in repaired) return { value: repaired.value, text: second.text };
  throw misfit(second, `, asked twice: ${repaired.problem}; it said`);
}

function misfit({ provider, model, text }: Generated, why: string): AgentError {
  const who = `${provider} (${model})`;
  // The text is not cut here: of a cut secret, a part would stay.
  return new AgentError("bad_value", `${who} gave no answer that fits${why} ${JSON.stringify(text)}`);
}

/** Repeats the question with the problem of the answer, as plain text that every provider understands. */
function again(request: ModelRequest, { text }: Generated, problem: string): ModelRequest {
  const history: readonly Turn[] = [
    ...(request.history ?? []),
    { role: "user", text: request.prompt },
    { role: "assistant", text },
  ];
  const prompt = `That answer cannot be used: ${problem}. Answer once more, with nothing but what was asked for.`;
  return { ...request, history, prompt, plain: true };
}

function requestOf(
  settings: Settings,
  question: Question,
  form: AnswerForm,
  history: readonly Turn[],
): ModelRequest {
  return {
    prompt: question.prompt,
    provider: textOf(settings, "provider") ?? question.provider,
    model: textOf(settings, "model"),
    temperature: numberOf(settings, "temperature"),
    maxTokens: numberOf(settings, "max_tokens"),
    system: textOf(settings, "system") ?? question.system,
    history,
    choices: form.kind === "one-of" ? form.choices : undefined,
    schema: schemaOf(form),
    fallback: fallbacksOf(settings["fallback"]),
  };
}

function textOf(settings: Settings, name: string): string | undefined {
  const value = settings[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function numberOf(settings: Settings, name: string): number | undefined {
  const value = settings[name];
  return typeof value === "number" ? value : undefined;
}
