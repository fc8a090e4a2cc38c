import { withEnvFile } from "../../runtime/config/environment.js";
import type { Project } from "../../runtime/config/folders.js";
import { AgentError } from "../../runtime/graph/contract/errors.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import { providerLack } from "../../runtime/llm/lack.js";
import { HOSTED, type ModelSettings, readModelSettings, USUAL } from "../../runtime/llm/settings.js";
import type { Context } from "../process/context.js";
import { type Finding, type Findings, ok, problem } from "./finding.js";

const ABOUT = "provider";

/** The model providers: those of the configuration, and those whose key is in the environment. No key is told. */
export function checkProviders(context: Context, { configuration, root }: Project): Findings {
  const env = withEnvFile(context.env, root);
  const section = configuration["llm"];
  let models: ModelSettings;
  try {
    models = readModelSettings({ section, env });
  } catch (thrown) {
    return [unusable(thrown)];
  }
  const listed =
    isMapping(section) && isMapping(section["providers"]) ? Object.keys(section["providers"]) : [];
  const hosted = HOSTED.filter((kind) => env[USUAL[kind].key] && !listed.includes(kind));
  const { defaultProvider } = models;
  const named = [...listed, ...hosted];
  const names =
    defaultProvider === null || named.includes(defaultProvider) ? named : [...named, defaultProvider];
  if (names.length === 0) {
    const keys = HOSTED.map((kind) => USUAL[kind].key).join(", ");
    return [ok(ABOUT, `none; agents that ask a model need one of ${keys}, or llm.providers`)];
  }
  return names.map((name) => checkProvider(name, models, root));
}

function checkProvider(name: string, models: ModelSettings, root: string): Finding {
  try {
    const provider = models.find(name);
    const lack = providerLack(provider, root);
    const { kind, apiKey } = provider;
    const isDefault = models.defaultProvider === name ? ", the default" : "";
    const what = `${name}${kind === name ? "" : ` (${kind})`}${isDefault}`;
    if (lack !== null) return problem(ABOUT, `${what}: ${lack.what} is missing`, lack.cure);
    if (kind === "mock") return ok(ABOUT, `${what}: answers without a network`);
    return ok(ABOUT, `${what}: ${apiKey === null ? "works without a key" : "its key is set"}`);
  } catch (thrown) {
    return unusable(thrown);
  }
}

function unusable(thrown: unknown): Finding {
  if (!(thrown instanceof AgentError)) throw thrown;
  return problem(ABOUT, thrown.message, "docs/models.md has every setting of llm");
}
