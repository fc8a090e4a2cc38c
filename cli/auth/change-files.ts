import { dirname, join, resolve } from "node:path";
import { type EditResult, readForEdit } from "../../runtime/config/edit.js";
import { ENV_FILE, setVariables } from "../../runtime/config/environment.js";
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
    if (!(error instanceof FileChangeError)) throw error;
    throw new UsageError(`cannot change ${shownPath(error.file, context.cwd)}: ${error.message}`, error.help);
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

interface Change {
  readonly file: LockedFile;
  readonly text: string;
}

/** The new text of a file, when it could be edited. */
export function changeOf(file: LockedFile, result: EditResult, { cwd }: Context): Change {
  if ("text" in result) return { file, text: result.text };
  throw new UsageError(`cannot change ${shownPath(file.path, cwd)}: ${result.problem}`);
}

/** Keys in their variables of the `.env` file. */
export function putVariables(
  envFile: LockedFile,
  keys: readonly (readonly [variable: string, key: string])[],
  context: Context,
): Change {
  return changeOf(envFile, setVariables(envFile.text ?? "", Object.fromEntries(keys)), context);
}

/** The data of the configuration. */
export function readData(configuration: LockedFile, context: Context) {
  const read = readForEdit(configuration.text ?? "");
  if ("data" in read) return read.data;
  throw new UsageError(changeOf(configuration, read, context).text);
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
  const { stdout } = context;
  if (stdout.offer === undefined) stdout.write(shown);
  else if (!stdout.offer(shown)) {
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
