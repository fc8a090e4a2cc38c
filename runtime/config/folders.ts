import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { FlowsheetError } from "../graph/errors.js";
import { readYaml } from "./yaml.js";

/** The name of the configuration file, which is looked for upwards. */
export const CONFIG_NAME = "flowsheet.yaml";

/** Where a project keeps its things; all paths are absolute. */
export interface Folders {
  /** The configuration file; null when there is none. */
  readonly file: string | null;
  /** The configuration's folder, else the working folder. */
  readonly root: string;
  readonly workflows: string;
  readonly agents: string;
  readonly prompts: string;
  readonly generated: string;
  /** The files that agents read and write. */
  readonly data: string;
  /** Suspended runs. */
  readonly runs: string;
  /** All that the configuration says, as it stands there. */
  readonly configuration: { readonly [section: string]: unknown };
}

/** What holds for every run that does not say otherwise. */
export interface Execution {
  readonly maxSteps: number | null;
  readonly timeoutMs: number | null;
}

/** What the configuration says, with defaults for all that it does not say. */
export interface Project extends Folders {
  readonly execution: Execution;
}

const DEFAULTS = {
  workflows: "workflows",
  agents: "agents",
  prompts: "prompts",
  generated: "generated",
  data: "data",
  runs: ".flowsheet/runs",
} as const;
type Key = keyof typeof DEFAULTS;
const KEYS = Object.keys(DEFAULTS) as readonly Key[];

/** A configuration that cannot be read. */
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

/** Reads the configuration that is named, or found upwards from the working folder. */
export function readProject(cwd: string, named: string | null): Project {
  const file = named === null ? findUpwards(cwd) : resolve(cwd, named);
  const root = file === null ? resolve(cwd) : dirname(file);
  const settings = file === null ? {} : readSettings(file);
  const given = file === null ? {} : readKeys(file, settings);
  const folder = (key: Key): string => resolve(root, given[key] ?? DEFAULTS[key]);
  return {
    file,
    root,
    workflows: folder("workflows"),
    agents: folder("agents"),
    prompts: folder("prompts"),
    generated: folder("generated"),
    data: folder("data"),
    runs: folder("runs"),
    configuration: settings,
    execution: readExecution(file, settings["execution"]),
  };
}

function findUpwards(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    if (dirname(folder) === folder) return null;
  }
}

type Settings = { readonly [name: string]: unknown };

function readSettings(file: string): Settings {
  const result = readYaml(readConfiguration(file));
  if ("problem" in result) throw new ConfigurationError(file, result.problem, result);
  const { data } = result;
  if (data === null || data === undefined) return {};
  if (isMapping(data)) return data;
  const at = { line: 1, column: 1 };
  throw new ConfigurationError(file, "the configuration is not a mapping of settings", at);
}

const isMapping = (data: unknown): data is Settings =>
  typeof data === "object" && data !== null && !Array.isArray(data);

function readKeys(file: string, settings: Settings): { readonly [K in Key]?: string } {
  const found: { [K in Key]?: string } = {};
  for (const key of KEYS) {
    const value = settings[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== "string" || value === "")
      throw new ConfigurationError(file, `${key} must be a folder's path`);
    found[key] = value;
  }
  return found;
}

function readExecution(file: string | null, section: unknown): Execution {
  if (file === null || section === undefined || section === null) return { maxSteps: null, timeoutMs: null };
  if (!isMapping(section)) throw new ConfigurationError(file, "execution is not a mapping of settings");
  const limit = (key: string): number | null => {
    const value = section[key];
    if (value === undefined || value === null) return null;
    if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
    throw new ConfigurationError(file, `execution.${key} must be a whole number, 1 or more`);
  };
  return { maxSteps: limit("max_steps"), timeoutMs: limit("timeout_ms") };
}

function readConfiguration(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new ConfigurationError(file, "there is no such file");
  if (!stats.isFile()) throw new ConfigurationError(file, "it is not a file");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const denied = error instanceof Error && "code" in error && error.code === "EACCES";
    throw new ConfigurationError(file, denied ? "permission denied" : "it is not UTF-8 text");
  }
}
