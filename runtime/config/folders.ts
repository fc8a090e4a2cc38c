import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
}

const KEYS = ["workflows", "agents", "prompts", "generated"] as const;
type Key = (typeof KEYS)[number];

/** A configuration that cannot be read. */
export class ConfigurationError extends Error {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;

  constructor(file: string, message: string, at?: { readonly line: number; readonly column: number }) {
    super(message);
    this.name = "ConfigurationError";
    this.file = file;
    this.line = at?.line ?? null;
    this.column = at?.column ?? null;
  }
}

/** Reads the folders of the configuration that is named, or found upwards from the working folder. */
export function readFolders(cwd: string, named: string | null): Folders {
  const file = named === null ? findUpwards(cwd) : resolve(cwd, named);
  const root = file === null ? resolve(cwd) : dirname(file);
  const given = file === null ? {} : readKeys(file);
  const folder = (key: Key): string => resolve(root, given[key] ?? key);
  return {
    file,
    root,
    workflows: folder("workflows"),
    agents: folder("agents"),
    prompts: folder("prompts"),
    generated: folder("generated"),
  };
}

function findUpwards(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    if (dirname(folder) === folder) return null;
  }
}

function readKeys(file: string): { readonly [K in Key]?: string } {
  const result = readYaml(readConfiguration(file));
  if ("problem" in result) throw new ConfigurationError(file, result.problem, result);
  const { data } = result;
  if (data === null || data === undefined) return {};
  if (typeof data !== "object" || Array.isArray(data)) {
    throw new ConfigurationError(file, "the configuration is not a mapping of settings", {
      line: 1,
      column: 1,
    });
  }
  const found: { [K in Key]?: string } = {};
  for (const key of KEYS) {
    const value: unknown = (data as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== "string" || value === "")
      throw new ConfigurationError(file, `${key} must be a folder's path`);
    found[key] = value;
  }
  return found;
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
