import { dirname, resolve } from "node:path";
import type { VariableNote } from "../auth/plan/environment-keys.js";
import type { AuthPlan } from "../auth/plan/plan.js";
import { readPlan } from "../auth/plan/read-plan.js";
import type { Environment } from "../host.js";
import { checkSections } from "./check-sections.js";
import { type CheckedSections, checkStructure } from "./check-structure.js";
import { withEnvFile } from "./environment.js";
import { type ConfigFinding, createFindings } from "./findings.js";
import { findConfiguration, readConfigurationText } from "./folders.js";
import { createLocator } from "./locate.js";
import { resolveReferences } from "./references.js";
import { configurationSchema, type Settings } from "./schema.js";
import { maskSecrets } from "./secrets.js";
import { dataOf, parseYaml } from "./yaml.js";

/** A whole configuration, with defaults for all that the file does not say. It holds no API key. */
export interface Configuration {
  /** The file; null when there is none. */
  readonly file: string | null;
  /** The file's folder, else the working folder: paths are relative to it. */
  readonly root: string;
  readonly settings: Omit<Settings, "authentication">;
  readonly auth: AuthPlan;
  readonly hasAuthentication: boolean;
}

export interface CheckedConfiguration {
  /** Null when the file cannot be used: a finding says why. */
  readonly configuration: Configuration | null;
  readonly findings: readonly ConfigFinding[];
  /** What is odd about variables of the environment. */
  readonly notes: readonly VariableNote[];
  /** The text with its secrets masked, for the frames of findings; null when it cannot be shown. */
  readonly shownText: string | null;
  readonly present: readonly string[];
}

export interface ConfigurationSource {
  readonly file: string | null;
  readonly root: string;
  readonly shown: string;
  readonly text: string;
  readonly env: Environment;
  readonly now: number;
}

export interface ConfigurationLookup {
  readonly cwd: string;
  /** The file that is named; null to look for flowsheet.yaml upwards. */
  readonly named: string | null;
  readonly env: Environment;
  readonly now?: number;
  /** The file's name in messages; its path, unless told. */
  readonly show?: (file: string) => string;
}

/** Finds, reads and checks the whole configuration; without a file all defaults hold. */
export function loadConfiguration(lookup: ConfigurationLookup): CheckedConfiguration {
  const { cwd, named, env, now = Date.now(), show = (file) => file } = lookup;
  const file = findConfiguration(cwd, named);
  const root = file === null ? resolve(cwd) : dirname(file);
  const text = file === null ? "" : readConfigurationText(file);
  const shown = file === null ? "" : show(file);
  return checkConfiguration({ file, root, shown, text, env: withEnvFile(env, root), now });
}

/** Checks the text of a configuration. The environment is the one that its references are looked up in. */
export function checkConfiguration(source: ConfigurationSource): CheckedConfiguration {
  const { shown, text } = source;
  const document = parseYaml(text);
  if ("problem" in document) {
    const { problem: message, line, column } = document;
    const place = { file: shown, line, column, endLine: line, endColumn: column, cell: null };
    const findings = createFindings(shown, () => place);
    findings.error("config-bad-yaml", [], { message, effect: "stop" });
    return { configuration: null, findings: findings.list(), notes: [], shownText: null, present: [] };
  }
  const findings = createFindings(shown, createLocator(shown, document, text));
  const data = dataOf(document);
  const resolved = resolveReferences(data, source.env, findings);
  const checked = checkStructure(resolved, findings);
  checkSections(checked, findings);
  const { env, now } = source;
  const { host } = checked.server ?? configurationSchema.parse({}).server;
  const { referred, unset } = resolved;
  const { plan, notes } = readPlan(checked.authentication, { findings, env, referred, unset, host, now });
  const list = findings.list();
  const stopped = list.some(({ effect }) => effect === "stop");
  return {
    configuration: stopped ? null : configurationOf(source, checked, plan),
    findings: list,
    notes,
    shownText: maskSecrets(text, document),
    present: typeof data === "object" && data !== null ? Object.keys(data) : [],
  };
}

/** The configuration of checked sections. Nothing stopped it, so every section is there. */
function configurationOf(
  { file, root }: ConfigurationSource,
  checked: CheckedSections,
  auth: AuthPlan,
): Configuration {
  const { authentication, ...settings } = { ...configurationSchema.parse({}), ...checked };
  const hasAuthentication = authentication !== undefined;
  return { file, root, settings: settings as Configuration["settings"], auth, hasAuthentication };
}
