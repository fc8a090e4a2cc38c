import type { LanguageModel } from "ai";
import type { Generated, ModelCall, ModelRequest } from "../graph/contract/services.js";
import { describeFailure, ProviderFailure } from "./failure.js";
import { createGuardedFetch } from "./guarded-fetch.js";
import { loadSdk, type SDK } from "./packages.js";
import type { ProviderSettings } from "./settings.js";

export interface Chosen {
  readonly provider: ProviderSettings;
  readonly model: string;
}

export async function askHosted(
  { provider, model }: Chosen,
  request: ModelRequest,
  call: ModelCall & { readonly root: string; readonly redact: (message: string) => string },
): Promise<Generated> {
  const { signal, log, root, redact } = call;
  const { ai, sdk } = await loadSdk(provider.kind as keyof typeof SDK, root);
  const limit = limited(signal, provider.timeoutMs);
  try {
    const answered = await ai.generateText({
      model: modelOf(sdk, provider, model),
      maxRetries: 0,
      abortSignal: limit.signal,
      ...questionOf(request),
      ...(request.schema === undefined || request.plain === true
        ? {}
        : { output: jsonOutput(request.schema), providerOptions: optionsFor(request.schema) }),
    });
    const cut = "the answer was cut off, since it may not be longer (max_tokens)";
    if (answered.finishReason === "length") log.warn(`${provider.name} (${model}): ${cut}`);
    return generated(answered, { provider: provider.name, model });
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (limit.isOver()) throw new ProviderFailure(`it gave no answer within ${provider.timeoutMs} ms`);
    throw describeFailure(thrown, { provider, redact });
  } finally {
    limit.end();
  }
}

type Answered = Awaited<ReturnType<typeof import("ai")["generateText"]>>;

function generated(
  { text, usage, finishReason }: Pick<Answered, "text" | "usage" | "finishReason">,
  by: Pick<Generated, "provider" | "model">,
): Generated {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  if (finishReason === "content-filter") throw new ProviderFailure("it refused to answer");
  if (text.trim() === "") {
    const why = finishReason === "length" ? ": max_tokens was used up before the answer began" : "";
    throw new ProviderFailure(`it gave an empty answer${why}`);
  }
  return { text, usage: { input_tokens: inputTokens, output_tokens: outputTokens }, ...by };
}

function questionOf({ prompt, history = [], temperature, maxTokens, ...request }: ModelRequest): {
  readonly messages: { role: "user" | "assistant"; content: string }[];
} {
  const turns = [...history, { role: "user", text: prompt } as const];
  const system = systemFor(request);
  return {
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
  };
}

/** The system text: the author's, and how to answer, in words that every provider understands. */
function systemFor(request: Pick<ModelRequest, "system" | "choices" | "schema">): string | undefined {
  const { system = "", choices, schema } = request;
  const parts = system.trim() === "" ? [] : [system];
  if (choices !== undefined) parts.push([CHOOSE, ...choices.map((choice) => `- ${choice}`)].join("\n"));
  if (schema !== undefined) parts.push(`${ANSWER_JSON}\n${JSON.stringify(schema)}`);
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

const CHOOSE = "Answer with exactly one of these, word for word, and nothing else:";
const ANSWER_JSON = "Answer with one JSON object and nothing else. It must fit this JSON schema:";

/** The protocol of each kind. Many other servers also use OpenAI's chat completions. */
function modelOf(
  sdk: object,
  { kind, name, apiKey, baseUrl }: ProviderSettings,
  model: string,
): LanguageModel {
  // Without a key the SDK would read one from the environment.
  const options = { apiKey: apiKey ?? "", baseURL: baseUrl, fetch: createGuardedFetch(baseUrl) };
  switch (kind) {
    case "openai":
      return (sdk as typeof import("@ai-sdk/openai")).createOpenAI(options).chat(model);
    case "anthropic":
      return (sdk as typeof import("@ai-sdk/anthropic")).createAnthropic(options)(model);
    case "google":
      return (sdk as typeof import("@ai-sdk/google")).createGoogleGenerativeAI(options)(model);
    default: {
      const { createOpenAICompatible } = sdk as typeof import("@ai-sdk/openai-compatible");
      const { apiKey: _, ...open } = options;
      const given = { ...(apiKey === null ? open : options), name, supportsStructuredOutputs: true };
      return createOpenAICompatible(given).chatModel(model);
    }
  }
}

/** Uses the provider's JSON option, but returns the text: the caller checks it. */
function jsonOutput(schema: NonNullable<ModelRequest["schema"]>) {
  return {
    name: "json",
    responseFormat: Promise.resolve({ type: "json" as const, name: "answer", schema }),
    parseCompleteOutput: async ({ text }: { readonly text: string }) => text,
    parsePartialOutput: async () => undefined,
    createElementStreamTransform: () => undefined,
  };
}

/** OpenAI's strict mode does not support objects and lists of free form. */
function optionsFor(schema: NonNullable<ModelRequest["schema"]>): { openai: { strictJsonSchema: boolean } } {
  const { properties } = schema as { readonly properties?: { readonly [key: string]: Entry } };
  const isStrict = properties !== undefined && !Object.values(properties).some(isFree);
  return { openai: { strictJsonSchema: isStrict } };
}

interface Entry {
  readonly type?: string;
  readonly items?: { readonly type?: string };
}

const isFree = ({ type, items }: Entry): boolean =>
  type === undefined || type === "object" || (type === "array" && (items?.type ?? "object") === "object");

/** A signal with a time-out. It leaves no listener on the caller's signal. */
function limited(outer: AbortSignal, ms: number) {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, ms);
  const stop = (): void => controller.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    isOver: (): boolean => over,
    end: (): void => {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    },
  };
}
