import { dirname, resolve } from "node:path";
import type { VariableNote } from "../auth/plan/environment-keys.js";
import type { AuthPlan } from "../auth/plan/plan.js";
import { readPlan } from "../auth/plan/read-plan.js";
import type { Environment } from "../host.js";
import { checkConnections, checkServerSecrets } from "./check-connections.js";
import { type CheckedSections, checkSections, checkStructure } from "./check-sections.js";
import { withEnvFile } from "./environment.js";
import { type ConfigFinding, createFindings, type Findings, valueAt } from "./findings.js";
import { findConfiguration, readConfigurationText } from "./folders.js";
import { createLocator } from "./locate.js";
import { resolveReferences } from "./references.js";
import { configurationSchema, type Settings } from "./schema.js";
import { maskSecrets } from "./secrets.js";
import { holdsPassword, PASSWORD_FAULT, PASSWORD_HELP } from "./store-setting.js";
import { dataOf, parseYaml } from "./yaml.js";

/** Settings with their defaults. It holds no API key in plain text. */
export interface Configuration {
  readonly file: string | null;
  /** The base of relative paths: the file's folder, else the working folder. */
  readonly root: string;
  readonly settings: Omit<Settings, "authentication">;
  readonly auth: AuthPlan;
  readonly hasAuthentication: boolean;
}

export interface CheckedConfiguration {
  readonly configuration: Configuration | null;
  readonly findings: readonly ConfigFinding[];
  /** Notes on suspicious environment variables. */
  readonly notes: readonly VariableNote[];
  /** Secrets are masked, for the source lines shown with findings. Null when masking is not possible. */
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
  /** Null to search for flowsheet.yaml upwards. */
  readonly named: string | null;
  readonly env: Environment;
  readonly now?: number;
  /** How messages name the file; its path by default. */
  readonly show?: (file: string) => string;
}

export function loadConfiguration(lookup: ConfigurationLookup): CheckedConfiguration {
  const { cwd, named, env, now = Date.now(), show = (file) => file } = lookup;
  const file = findConfiguration(cwd, named);
  const root = file === null ? resolve(cwd) : dirname(file);
  const text = file === null ? "" : readConfigurationText(file);
  const shown = file === null ? "" : show(file);
  return checkConfiguration({ file, root, shown, text, env: withEnvFile(env, root), now });
}

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
  reportPassword(data, findings);
  const resolved = resolveReferences(data, source.env, findings);
  const checked = checkStructure(resolved, findings);
  checkSections(checked, findings);
  checkConnections(checked.connections ?? {}, resolved, findings);
  checkServerSecrets(checked.mcp, resolved, findings);
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

function reportPassword(data: unknown, findings: Findings): void {
  const path = ["runs", "store"];
  if (!holdsPassword(valueAt(data, path))) return;
  findings.error("config-bad-value", path, { message: PASSWORD_FAULT, help: PASSWORD_HELP, effect: "stop" });
}

function configurationOf(
  { file, root }: ConfigurationSource,
  checked: CheckedSections,
  auth: AuthPlan,
): Configuration {
  const { authentication, ...settings } = { ...configurationSchema.parse({}), ...checked };
  const hasAuthentication = authentication !== undefined;
  return { file, root, settings: settings as Configuration["settings"], auth, hasAuthentication };
}
