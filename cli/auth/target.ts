import { dirname, join, resolve } from "node:path";
import { ENV_FILE } from "../../runtime/config/environment.js";
import { CONFIG_NAME, findConfiguration } from "../../runtime/config/folders.js";
import { type LockedFile, withLockedFile } from "../../runtime/config/locked-file.js";
import type { Environment } from "../../runtime/host.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { changeFailure } from "./commit.js";

export type Store = "hash" | "env";

/** The configuration to change: the one that is named, the one found upwards, or a new one here. */
export const targetFile = ({ cwd, config }: Context): string =>
  findConfiguration(cwd, config) ?? resolve(cwd, CONFIG_NAME);

/** Holds the configuration, and the `.env` file beside it, while they are changed. */
export async function withFiles<T>(
  context: Context,
  work: (configuration: LockedFile, envFile: LockedFile) => Promise<T>,
): Promise<T> {
  try {
    return await withLockedFile(targetFile(context), (configuration) =>
      withLockedFile(join(dirname(configuration.path), ENV_FILE), (envFile) => work(configuration, envFile)),
    );
  } catch (error) {
    throw changeFailure(error, context);
  }
}

/** The variable that holds a key. It is no key of the environment by itself, which would permit other things. */
export const variableFor = (name: string): string =>
  `FLOWSHEET_KEY_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`;

/** A variable of the process goes before the `.env` file: a key that is written there would be dead. */
export function refuseOverridden(variable: string, env: Environment): void {
  if (env[variable] === undefined) return;
  throw new UsageError(
    `the environment variable ${variable} is set and goes before .env: nothing was changed`,
    `unset ${variable} first, or keep digests in the configuration with --store hash`,
  );
}
