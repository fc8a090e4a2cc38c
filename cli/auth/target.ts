import { dirname, join, resolve } from "node:path";
import { ENV_FILE } from "../../runtime/config/environment.js";
import { CONFIG_NAME, findConfiguration } from "../../runtime/config/folders.js";
import { type LockedFile, withLockedFile } from "../../runtime/config/locked-file.js";
import type { Environment } from "../../runtime/host.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { changeFailure } from "./commit.js";

export type Store = "hash" | "env";

/** The named file, else the nearest one upwards, else a new file in the working folder. */
export const targetFile = ({ cwd, config }: Context): string =>
  findConfiguration(cwd, config) ?? resolve(cwd, CONFIG_NAME);

/** Both files are locked, so that no other process changes either. */
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

/** Not a name of a standard key: such variables have permissions of their own. */
export const variableFor = (name: string): string =>
  `FLOWSHEET_KEY_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`;

/** Process variables override `.env`, so a key written there would have no effect. */
export function refuseOverridden(variable: string, env: Environment): void {
  if (env[variable] === undefined) return;
  throw new UsageError(
    `the environment variable ${variable} is set and goes before .env: nothing was changed`,
    `unset ${variable} first, or keep digests in the configuration with --store hash`,
  );
}
