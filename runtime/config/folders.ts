import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { timezoneNamed } from "../../compiler/types/run-values.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";
import { once } from "../lazy.js";
import { isReference, readReference, withEnvFile } from "./environment.js";
import type { DataPath, Locator } from "./findings.js";
import { createLocator } from "./locate.js";
import { type RunsSettings, readRunsSettings } from "./run-settings.js";
import { holdsPassword, PASSWORD_FAULT, PASSWORD_HELP } from "./store-setting.js";
import { parseYaml, readYaml } from "./yaml.js";

export const CONFIG_NAME = "flowsheet.yaml";

/** All paths are absolute: those of the folders, and these. */
export interface Folders extends Readonly<Record<Key, string>> {
  readonly file: string | null;
  readonly root: string;
  /** The subfolders of the workflows folder do not count. */
  readonly isFlat?: true;
  /** The package that generated modules import. */
  readonly generatedImport: RuntimePackage;
  /** The file's data. References are resolved for folders and limits only. */
  readonly configuration: { readonly [section: string]: unknown };
}

export interface RunLimits {
  readonly maxSteps: number | null;
  readonly timeoutMs: number | null;
}

export interface Project extends Folders {
  readonly execution: RunLimits;
  /** For `$today`, where a graph names none. */
  readonly timezone: string | null;
  readonly keeping: RunsSettings;
}

/** flowsheet-runtime is the small package that only runs modules. */
export const RUNTIME_PACKAGES = ["flowsheet", "flowsheet-runtime"] as const;
export type RuntimePackage = (typeof RUNTIME_PACKAGES)[number];

const DEFAULTS = {
  workflows: "workflows",
  agents: "agents",
  prompts: "prompts",
  generated: "generated",
  /** The files that agents read and write. */
  data: "data",
  runs: ".flowsheet/runs",
} as const;
type Key = keyof typeof DEFAULTS;
const KEYS = Object.keys(DEFAULTS) as readonly Key[];
const LIMITS = ["max_steps", "timeout_ms"];

export class ConfigurationError extends FlowsheetError {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;

  constructor(file: string, message: string, at?: { readonly line: number; readonly column: number }) {
    super("configuration_invalid", message);
    this.file = file;
    this.line = at?.line ?? null;
    this.column = at?.column ?? null;
  }
}

/** Null when no file is named or found upwards from the working folder. */
export function findConfiguration(cwd: string, named: string | null): string | null {
  if (named !== null) return resolve(cwd, named);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    if (dirname(folder) === folder) return null;
  }
}

/** Reads only what every run needs. `validate` checks the rest, so a run never loads the schema. */
export function readProject(cwd: string, named: string | null, env: Environment): Project {
  const file = findConfiguration(cwd, named);
  const root = file === null ? resolve(cwd) : dirname(file);
  const fault = (path: DataPath, message: string): ConfigurationError => faultAt(file ?? "", path, message);
  const written = file === null ? {} : readSettings(file);
  refusePassword(written["runs"], fault);
  const settings = file === null ? {} : resolveSettings(file, written, env);
  return projectOf(file, root, settings, fault);
}

function projectOf(file: string | null, root: string, settings: Settings, fault: Fault): Project {
  const folders = KEYS.map((key) => {
    const section = settings[key];
    const named = key === "runs" && isMapping(section) ? section["folder"] : section;
    const value = named ?? DEFAULTS[key];
    if (typeof value === "string" && value !== "") return [key, resolve(root, value)];
    throw fault([key], `${key} must be a folder's path`);
  });
  return {
    file,
    root,
    ...(Object.fromEntries(folders) as Record<Key, string>),
    generatedImport: readRuntimePackage(settings["generated_import"], fault),
    configuration: settings,
    execution: readExecution(settings["execution"], fault),
    timezone: readTimezone(settings["timezone"], fault),
    keeping: readRunsSettings(settings["runs"], fault),
  };
}

/** The project of a folder whose configuration cannot be read. */
export const defaultProject = (root: string): Project => projectOf(null, root, {}, noFault);

const noFault: Fault = (path) => new ConfigurationError("", `${path.join(".")} is wrong`);

type Settings = { readonly [name: string]: unknown };

function readSettings(file: string): Settings {
  const result = readYaml(readConfigurationText(file));
  if ("problem" in result) throw new ConfigurationError(file, result.problem, result);
  const { data } = result;
  if (data === null || data === undefined) return {};
  if (isMapping(data)) return data;
  const at = { line: 1, column: 1 };
  throw new ConfigurationError(file, "the configuration is not a mapping of settings", at);
}

/** Other references are left as they are. */
function resolveSettings(file: string, settings: Settings, env: Environment): Settings {
  const variables = once(() => withEnvFile(env, dirname(file)));
  const look = (value: unknown, path: DataPath): unknown => {
    if (typeof value !== "string" || !isReference(value)) return value;
    const reference = readReference(value, variables());
    if (reference?.kind === "value") return reference.value;
    throw faultAt(file, path, `${path.join(".")} refers to ${value}, which is not set`);
  };
  /** The section `runs` is a folder, or settings with one. */
  const lookInto = (value: unknown, path: DataPath): unknown =>
    isMapping(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lookInto(one, [...path, key])]))
      : look(value, path);
  const folders = Object.fromEntries(KEYS.map((key) => [key, lookInto(settings[key], [key])]));
  const { execution } = settings;
  if (!isMapping(execution)) return { ...settings, ...folders };
  const limits = LIMITS.map((name) => {
    const value = look(execution[name], ["execution", name]);
    // Environment variables are text.
    const isNumber = value !== execution[name] && /^\d{1,15}$/.test(String(value));
    return [name, isNumber ? Number(value) : value] as const;
  });
  return { ...settings, ...folders, execution: { ...execution, ...Object.fromEntries(limits) } };
}

type Fault = (path: DataPath, message: string) => ConfigurationError;

function refusePassword(runs: unknown, fault: Fault): void {
  if (isMapping(runs) && holdsPassword(runs["store"]))
    throw fault(["runs", "store"], `${PASSWORD_FAULT}: ${PASSWORD_HELP}`);
}

function readRuntimePackage(value: unknown, fault: Fault): RuntimePackage {
  const found = RUNTIME_PACKAGES.find((name) => name === (value ?? "flowsheet"));
  if (found !== undefined) return found;
  throw fault(["generated_import"], `generated_import must be ${RUNTIME_PACKAGES.join(" or ")}`);
}

function readTimezone(value: unknown, fault: Fault): string | null {
  const zone = timezoneNamed(value);
  if (zone !== null || value === undefined || value === null) return zone;
  throw fault(["timezone"], "timezone must be the name of a time zone, such as Europe/Berlin");
}

function readExecution(section: unknown, fault: Fault): RunLimits {
  const settings = section ?? {};
  if (!isMapping(settings)) throw fault(["execution"], "execution is not a mapping of settings");
  const limit = (key: string): number | null => {
    const value = settings[key] ?? null;
    if (value === null || (typeof value === "number" && Number.isInteger(value) && value >= 1)) return value;
    throw fault(["execution", key], `execution.${key} must be a whole number, 1 or more`);
  };
  return { maxSteps: limit("max_steps"), timeoutMs: limit("timeout_ms") };
}

const faultAt = (file: string, path: DataPath, message: string): ConfigurationError =>
  new ConfigurationError(file, message, locateIn(file)(path, "value") ?? undefined);

/** Reads the file once more, only when a message needs a place. There is none when that fails. */
export function locateIn(file: string): Locator {
  try {
    const text = readConfigurationText(file);
    const document = parseYaml(text);
    return "problem" in document ? () => null : createLocator(file, document, text);
  } catch {
    return () => null;
  }
}

export function readConfigurationText(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new ConfigurationError(file, "there is no such file");
  if (!stats.isFile()) throw new ConfigurationError(file, "it is not a file");
  // The YAML limit counts characters; one character has up to 4 bytes in UTF-8.
  if (stats.size > 4_000_000) throw new ConfigurationError(file, "the file is larger than 1 MB");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const denied = error instanceof Error && "code" in error && error.code === "EACCES";
    throw new ConfigurationError(file, denied ? "permission denied" : "it is not UTF-8 text");
  }
}
