import { setTimeout as sleep } from "node:timers/promises";
import { AgentError, messageOf } from "../graph/contract/errors.js";
import type { Generated, LanguageModels, ModelCall, ModelRequest } from "../graph/contract/services.js";
import { ProviderFailure } from "./failure.js";
import type { Chosen } from "./hosted.js";
import { askMock } from "./mock.js";
import {
  HOSTED,
  type ModelSettings,
  type ModelSource,
  type ProviderSettings,
  providerIn,
  readModelSettings,
  USUAL,
} from "./settings.js";

export interface ModelsOptions extends ModelSource {
  /** The project's folder, which may have packages installed. */
  readonly root: string;
  /** Removes secrets from messages. */
  readonly redact: (message: string) => string;
}

/** The language models of a project. The first call reads the configuration and loads packages. */
export function createLanguageModels(options: ModelsOptions): LanguageModels {
  let state: ModelsState | null = null;
  return {
    generate: async (request, call) => {
      state ??= { ...options, settings: readModelSettings(options), down: new Map() };
      return askInTurn(state, { request, call });
    },
  };
}

interface ModelsState extends ModelsOptions {
  readonly settings: ModelSettings;
  /** The number of calls in a row that a provider has failed. */
  readonly down: Map<string, number>;
}

interface Question {
  readonly request: ModelRequest;
  readonly call: ModelCall;
}

/** Asks one provider after another, until one answers. A fallback that does not exist counts as failed. */
async function askInTurn(state: ModelsState, question: Question): Promise<Generated> {
  const { settings, redact } = state;
  const { request, call } = question;
  const first = firstOf(settings, request);
  const others = (request.fallback ?? []).map((written) => () => readFallback(settings, written));
  const failures: string[] = [];
  for (const choice of [() => first, ...others]) {
    let asked = "";
    try {
      const one = choice();
      asked = `${nameOf(one)}: `;
      if (failures.length > 0) call.log.warn(`${failures.at(-1)}; asking ${nameOf(one)} instead`);
      return await askPatiently(one, state, question);
    } catch (thrown) {
      if (call.signal.aborted) throw call.signal.reason;
      failures.push(redact(`${asked}${messageOf(thrown)}`));
    }
  }
  throw new AgentError("provider_failed", failures.join("; "));
}

const nameOf = ({ provider, model }: Chosen): string => `${provider.name} (${model})`;

function firstOf(settings: ModelSettings, { provider, model }: ModelRequest): Chosen {
  const name = provider ?? settings.defaultProvider;
  if (name === null) throw new AgentError("provider_failed", NOTHING_CONFIGURED);
  return choose(settings.find(name), model);
}

const NOTHING_CONFIGURED = `no language model is configured; set one of ${HOSTED.map((kind) => USUAL[kind].key).join(", ")} in the environment, or llm.default_provider in flowsheet.yaml ("mock" answers without a network)`;

/** `provider` or `provider/model`. The model's name may hold more slashes. */
function readFallback(settings: ModelSettings, written: string): Chosen {
  const name = providerIn(written);
  return choose(settings.find(name), written.slice(name.length + 1));
}

/** A model's name becomes part of a URL, so it must not change the path. */
const MODEL_NAME = /^(?!.*\.\.)[\w][\w.:@/+-]{0,199}$/u;

function choose(provider: ProviderSettings, named: string | undefined): Chosen {
  const model = named?.trim() || provider.model;
  if (model === null) {
    const cure = `set llm.providers.${provider.name}.model or the setting "model"`;
    throw new AgentError("provider_failed", `${provider.name}: no model is named; ${cure}`);
  }
  if (!MODEL_NAME.test(model))
    throw new AgentError("provider_failed", `${JSON.stringify(model)} cannot be the name of a model`);
  return { provider, model };
}

/** The most calls of one provider for one answer. */
const ATTEMPTS = 4;
/** A longer wait counts as a failure: the next provider is asked. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 400;

/** After so many failures in a row, a provider gets only one attempt for each call, until it answers. */
const DOWN = 5;

async function askPatiently(
  one: Chosen,
  state: ModelsState,
  { request, call }: Question,
): Promise<Generated> {
  const { down } = state;
  const { name } = one.provider;
  const attempts = (down.get(name) ?? 0) >= DOWN ? 1 : ATTEMPTS;
  let { plain } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      const generated = await ask(one, state, { request: { ...request, plain }, call });
      down.delete(name);
      return generated;
    } catch (thrown) {
      if (call.signal.aborted || !(thrown instanceof ProviderFailure)) throw thrown;
      if (thrown.refusesFormat && request.schema !== undefined && plain !== true) {
        plain = true;
        continue;
      }
      const wait = attempt < attempts ? waitBefore(thrown, attempt) : null;
      if (wait === null) {
        if (thrown.isPassing) down.set(name, (down.get(name) ?? 0) + 1);
        throw afterAttempts(thrown, attempt);
      }
      await sleep(wait, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted());
    }
  }
}

/** Null for no further attempt. A random part keeps clients from retrying at the same time. */
function waitBefore({ isPassing, waitMs }: ProviderFailure, attempt: number): number | null {
  if (!isPassing) return null;
  if (waitMs !== null) return waitMs > LONGEST_WAIT_MS ? null : waitMs + Math.random() * 250;
  const longest = FIRST_WAIT_MS * 2 ** (attempt - 1);
  return longest / 2 + (Math.random() * longest) / 2;
}

function afterAttempts(failure: ProviderFailure, attempt: number): ProviderFailure {
  const { message, waitMs } = failure;
  if (attempt > 1) return new ProviderFailure(`${message} (${attempt} attempts)`);
  if (waitMs === null || waitMs < 1000) return failure;
  return new ProviderFailure(`${message} (it asks to wait ${Math.round(waitMs / 1000)} s)`);
}

async function ask(
  one: Chosen,
  { root, redact }: ModelsOptions,
  { request, call }: Question,
): Promise<Generated> {
  const { provider, model } = one;
  if (provider.kind === "mock") return askMock(provider, model, request);
  if (provider.apiKey === null && provider.keyVariable !== null) {
    const where = `llm.providers.${provider.name}.api_key in flowsheet.yaml`;
    const cure = `set ${provider.keyVariable} in the environment, or ${where}`;
    throw new ProviderFailure(`there is no key; ${cure}`);
  }
  const { askHosted } = await import("./hosted.js");
  return askHosted(one, request, { ...call, root, redact });
}
