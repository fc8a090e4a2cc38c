import { fallbacksOf } from "../agents/models/fallbacks.js";
import type { Json } from "../graph/contract/contract.js";
import { AgentError } from "../graph/contract/errors.js";
import { installCommand } from "../optional-packages.js";
import { missingSdk } from "./packages.js";
import {
  HOSTED,
  type ModelSettings,
  type ModelSource,
  type ProviderSettings,
  providerIn,
  readModelSettings,
  USUAL,
} from "./settings.js";

export interface Lack {
  readonly what: string;
  readonly cure: string;
}

export interface LackOptions extends ModelSource {
  readonly root: string;
}

type Settings = { readonly [name: string]: Json };

/** The missing precondition of a node that asks a model; null when there is none. */
export function modelLack(agent: string, settings: Settings, options: LackOptions): Lack | null {
  if (!asksModel(agent, settings)) return null;
  try {
    const models = readModelSettings(options);
    const wanted = providerOf(agent, settings, models);
    if (wanted === null) {
      const keys = HOSTED.map((kind) => USUAL[kind].key).join(", ");
      const cure = `set one of ${keys} in the environment, or llm.default_provider in flowsheet.yaml`;
      return { what: "a language model", cure };
    }
    const fallbacks = fallbacksOf(settings["fallback"]).map(providerIn);
    for (const name of [wanted, ...fallbacks]) {
      const lack = providerLack(models.find(name), options.root);
      if (lack !== null) return lack;
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof AgentError) return { what: "a language model", cure: thrown.message };
    throw thrown;
  }
}

/** True when a node asks a hosted model. A mock is none. */
export function asksRemoteModel(agent: string, settings: Settings, source: ModelSource): boolean {
  if (!asksModel(agent, settings)) return false;
  try {
    const models = readModelSettings(source);
    const wanted = providerOf(agent, settings, models);
    return wanted === null || models.find(wanted).kind !== "mock";
  } catch (thrown) {
    if (thrown instanceof AgentError) return true;
    throw thrown;
  }
}

function providerOf(agent: string, settings: Settings, { defaultProvider }: ModelSettings): string | null {
  const { provider, llm } = settings;
  if (provider !== undefined && provider !== null) return String(provider);
  if (isHosted(agent)) return agent;
  return typeof llm === "string" ? llm : defaultProvider;
}

const isHosted = (agent: string): boolean => HOSTED.some((kind) => kind === agent);

export function asksModel(agent: string, settings: Settings): boolean {
  if (agent === "summary") return settings["llm"] !== undefined && settings["llm"] !== false;
  if (agent === "orchestrator") return settings["strategy"] === "llm";
  return agent === "llm" || isHosted(agent);
}

export function providerLack(provider: ProviderSettings, root: string): Lack | null {
  const { kind, name, apiKey, keyVariable } = provider;
  const packages = missingSdk(kind, root);
  const keys = apiKey === null && keyVariable !== null ? [keyVariable] : [];
  if (packages.length + keys.length === 0) return null;
  const elsewhere = kind === name ? "" : `, or llm.providers.${name}.api_key in flowsheet.yaml`;
  const cures = keys.map((key) => `set ${key} in the environment${elsewhere}`);
  if (packages.length > 0) cures.unshift(installCommand(packages));
  return { what: [...packages, ...keys].join(", "), cure: cures.join("; ") };
}
