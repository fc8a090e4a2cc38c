import { dirname, join, resolve } from "node:path";
import { ENV_FILE } from "../../runtime/config/environment.js";
import { CONFIG_NAME, findConfiguration } from "../../runtime/config/folders.js";
import { FileChangeError, type LockedFile, withLockedFile } from "../../runtime/config/locked-file.js";
import type { Environment } from "../../runtime/host.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";

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

export interface Change {
  readonly file: LockedFile;
  readonly text: string;
}

/**
 * Writes all files, then prints the keys. If either fails, all files are restored, so no key is valid unseen and no
 * printed key is invalid.
 */
export async function commitChanges(
  changes: readonly Change[],
  shown: string,
  context: Context,
): Promise<void> {
  const written: LockedFile[] = [];
  const putBack = async (): Promise<void> => {
    for (const file of written.reverse()) await file.restore();
  };
  try {
    for (const { file, text } of changes) {
      await file.write(text);
      written.push(file);
    }
  } catch (error) {
    await putBack();
    throw error;
  }
  if (!offer(context, shown)) {
    await putBack();
    throw new UsageError(
      "the keys could not be shown, so nothing was changed",
      "is the output closed, or full?",
    );
  }
  for (const { file } of changes) {
    if (!file.wasOpen) continue;
    const name = shownPath(file.path, context.cwd);
    context.note(
      `${name} was open to all users of this machine; now only its owner and its group can use it`,
    );
  }
}

function offer({ stdout }: Context, text: string): boolean {
  if (stdout.offer !== undefined) return stdout.offer(text);
  stdout.write(text);
  return true;
}

/** Turns a failed change into a usage error; other errors pass unchanged. */
export function changeFailure(error: unknown, { cwd }: Context): unknown {
  if (!(error instanceof FileChangeError)) return error;
  return new UsageError(`cannot change ${shownPath(error.file, cwd)}: ${error.message}`, error.help);
}

export function editedText(
  result: { readonly text: string } | { readonly problem: string },
  file: LockedFile,
  { cwd }: Context,
): string {
  if ("text" in result) return result.text;
  throw new UsageError(`cannot change ${shownPath(file.path, cwd)}: ${result.problem}`);
}
