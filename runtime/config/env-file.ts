import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "../host.js";

/** The file beside the configuration that holds variables. */
export const ENV_FILE = ".env";
const MAX_SIZE = 1_000_000;

/** The environment with what the file `.env` of the configuration's folder adds; the process's own variables win. */
export function withEnvFile(env: Environment, root: string): Environment {
  const text = readEnvFile(root);
  return text === "" ? env : { ...parseEnv(text), ...env };
}

/** The text of the file `.env` of a folder; nothing when there is none. */
function readEnvFile(root: string): string {
  const file = join(root, ENV_FILE);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= MAX_SIZE ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
  }
}
