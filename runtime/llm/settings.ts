import { suggest } from "../../compiler/diagnostics/suggest.js";
import { AgentError } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";

export const KINDS = ["openai", "anthropic", "google", "openai-compatible", "mock"] as const;
export type ProviderKind = (typeof KINDS)[number];

export interface ProviderSettings {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Null without a key: a mock needs none, nor do many private servers. */
  readonly apiKey: string | null;
  /** The variable for the key; null when the configuration holds it, or none is needed. */
  readonly keyVariable: string | null;
  /** The only address that the key is sent to. */
  readonly baseUrl: string;
  /** The default model; null when each request must name one. */
  readonly model: string | null;
  readonly timeoutMs: number;
  readonly answers: { readonly [pattern: string]: unknown };
}

export interface ModelSettings {
  /** The default provider; null without any configuration. */
  readonly defaultProvider: string | null;
  /** Finds a provider by name or kind. Throws when there is none. */
  readonly find: (name: string) => ProviderSettings;
}

interface Usual {
  readonly baseUrl: string;
  readonly key: string;
  /** The variable that may change the address. */
  readonly urlVariable: string;
  readonly model: string | null;
}

export const USUAL: { readonly [K in ProviderKind]: Usual } = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    key: "OPENAI_API_KEY",
    urlVariable: "OPENAI_BASE_URL",
    model: "gpt-4.1-mini",
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    key: "ANTHROPIC_API_KEY",
    urlVariable: "ANTHROPIC_BASE_URL",
    model: "claude-haiku-4-5",
  },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    urlVariable: "",
    model: "gemini-2.5-flash",
  },
  "openai-compatible": { baseUrl: "", key: "", urlVariable: "", model: null },
  mock: { baseUrl: "", key: "", urlVariable: "", model: "mock" },
};

/** The order in which a key in the environment selects the default. */
export const HOSTED = ["openai", "anthropic", "google"] as const satisfies readonly ProviderKind[];

/** Also the maximum, because Node itself waits no longer for an answer. */
const TIMEOUT_MS = 300_000;
const ALIASES: ReadonlyMap<string, ProviderKind> = new Map([
  ["gpt", "openai"],
  ["chatgpt", "openai"],
  ["claude", "anthropic"],
  ["gemini", "google"],
]);

export interface ModelSource {
  readonly section: unknown;
  readonly env: Environment;
}

type Entries = { readonly [key: string]: unknown };

export function readModelSettings({ section, env }: ModelSource): ModelSettings {
  const llm = mapping(section, "llm");
  const providers = mapping(llm["providers"], "llm.providers");
  const known = new Map(Object.keys(providers).map((name) => [folded(name), name]));
  const find = (wanted: string): ProviderSettings => {
    const name = known.get(folded(wanted));
    if (name !== undefined) return readProvider(name, providers[name], env);
    const kind = kindOf(wanted);
    const configured = Object.keys(providers).find((one) => ownKind(one, providers[one]) === kind);
    if (kind !== undefined && configured !== undefined)
      return readProvider(configured, providers[configured], env);
    // Such a server has no known address without a configuration.
    if (kind === undefined || kind === "openai-compatible") throw unknownProvider(wanted, providers);
    return readProvider(kind, { kind }, env);
  };
  return { defaultProvider: defaultOf(llm, providers, env), find };
}

export const providerIn = (written: string): string => written.split("/", 1)[0] ?? "";

const folded = (name: string): string => name.trim().toLowerCase();

function kindOf(name: string): ProviderKind | undefined {
  const wanted = folded(name);
  return KINDS.find((kind) => kind === wanted) ?? ALIASES.get(wanted);
}

/** The configured default, else the only configured provider, else the one with a key in the environment. */
function defaultOf(llm: Entries, providers: Entries, env: Environment): string | null {
  const named = text(llm["default_provider"], "llm.default_provider", env);
  if (named !== null) return named;
  const [first = null, ...others] = Object.keys(providers);
  if (first !== null && others.length === 0) return first;
  return HOSTED.find((kind) => env[USUAL[kind].key]) ?? first;
}

function unknownProvider(wanted: string, providers: Entries): AgentError {
  const names = [...new Set([...Object.keys(providers), ...HOSTED, "mock"])];
  const near = suggest(wanted, names);
  const help = near === null ? `known are ${names.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  return failure(`there is no model provider ${JSON.stringify(wanted)}; ${help}`);
}

function ownKind(name: string, entry: unknown): ProviderKind | undefined {
  const kind = isMapping(entry) ? entry["kind"] : undefined;
  return kindOf(typeof kind === "string" ? kind : name);
}

function readProvider(name: string, entry: unknown, env: Environment): ProviderSettings {
  const at = `llm.providers.${name}`;
  const given = mapping(entry, at);
  const kind = ownKind(name, given);
  if (kind === undefined) throw failure(`${at}.kind must be one of ${KINDS.join(", ")}`);
  const usual = USUAL[kind];
  const textOf = (setting: string): string | null => text(given[setting], `${at}.${setting}`, env);
  const { api_key: key } = given;
  const isGiven = key !== undefined && key !== null && key !== "";
  return {
    name,
    kind,
    // A named variable that is not set has no fallback.
    apiKey: isGiven ? textOf("api_key") : env[usual.key] || null,
    keyVariable: isGiven ? (REFERENCE.exec(String(key))?.[1] ?? null) : usual.key || null,
    baseUrl: addressOf(textOf("base_url") ?? env[usual.urlVariable], kind, at),
    model: textOf("model") ?? usual.model,
    timeoutMs: timeoutOf(given["timeout_ms"], at),
    answers: mapping(given["answers"], `${at}.answers`),
  };
}

function addressOf(given: string | undefined, kind: ProviderKind, at: string): string {
  const url = given || USUAL[kind].baseUrl;
  if (kind === "mock") return "";
  if (url === "")
    throw failure(`${at}.base_url is missing: a provider of kind ${kind} needs the address of its server`);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw failure(`${at}.base_url must be an address that begins with https:// or http://`);
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "" || parsed.hash !== "")
    throw failure(`${at}.base_url must hold no user, password, "?" or "#"; keys belong into api_key`);
  return url.replace(/\/+$/, "");
}

function timeoutOf(given: unknown, at: string): number {
  if (given === undefined || given === null) return TIMEOUT_MS;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= TIMEOUT_MS) return given;
  throw failure(`${at}.timeout_ms must be a whole number from 1 to ${TIMEOUT_MS}`);
}

function mapping(given: unknown, at: string): Entries {
  if (given === undefined || given === null) return {};
  if (isMapping(given)) return given;
  throw failure(`${at} in flowsheet.yaml is not a mapping of settings`);
}

const REFERENCE = /^env:([^:]+)(?::([\s\S]*))?$/;

/** A text, also as `env:NAME` or `env:NAME:default`; null without a value. */
function text(given: unknown, at: string, env: Environment): string | null {
  if (given === undefined || given === null || given === "") return null;
  if (typeof given !== "string") throw failure(`${at} in flowsheet.yaml must be a text; put it in quotes`);
  const [, name, otherwise] = REFERENCE.exec(given) ?? [];
  return name === undefined ? given : env[name] || otherwise || null;
}

const failure = (message: string): AgentError => new AgentError("provider_failed", message);
