import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { daysAfter, formatSection, type NewKey, STANDARD_KEYS } from "../../runtime/auth/plan/section.js";
import { putSection, readForEdit } from "../../runtime/config/edit.js";
import { setVariables } from "../../runtime/config/environment.js";
import type { LockedFile } from "../../runtime/config/locked-file.js";
import {
  type Change,
  commitChanges,
  editedText,
  refuseOverridden,
  type Store,
  variableFor,
  withFiles,
} from "../auth/change-files.js";
import { keysJson, keysText } from "../auth/keys-text.js";
import { setupText } from "../auth/setup-text.js";
import { EXIT } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";

const SECTION = "authentication";

export async function initAuth(context: Context, given: Given): Promise<number> {
  return withFiles(context, async (configuration, envFile) => {
    const shown = shownPath(configuration.path, context.cwd);
    if (hasSection(configuration, context) && !given.flag("force")) {
      context.note(
        `${shown} has a section ${SECTION} already: nothing was changed (--force writes a new one)`,
      );
      if (given.flag("json")) context.stdout.write(keysJson([]));
      return EXIT.done;
    }
    const store: Store = given.text("store") === "env" ? "env" : "hash";
    const now = Date.now();
    const keys = createKeys(store, now);
    const changes = changesFor(keys, { configuration, envFile, store, now, context });
    if (given.flag("json")) await commitChanges(changes, keysJson(keys), context);
    else {
      await commitChanges(changes, keysText(keys), context);
      context.stdout.write(await setupText(keys, { configuration, envFile, store, context }));
    }
    return EXIT.done;
  });
}

/** An empty section counts as none. */
function hasSection(configuration: LockedFile, context: Context): boolean {
  if (configuration.text === null) return false;
  const read = readForEdit(configuration.text);
  if ("problem" in read) editedText(read, configuration, context);
  return "data" in read && read.data[SECTION] != null;
}

function createKeys(store: Store, now: number): readonly NewKey[] {
  return STANDARD_KEYS.map(({ name, permissions, description, days }) => {
    const key = createKey();
    const stored = store === "env" ? `env:${variableFor(name)}` : storedForm(key);
    const expiresAt = days === null ? null : daysAfter(now, days);
    return { name, key, stored, permissions, description, userId: name, expiresAt };
  });
}

interface Making {
  readonly configuration: LockedFile;
  readonly envFile: LockedFile;
  readonly store: Store;
  readonly now: number;
  readonly context: Context;
}

/** The variables come first: without the section nobody asks for them. */
function changesFor(keys: readonly NewKey[], making: Making): readonly Change[] {
  const { configuration, envFile, store, now, context } = making;
  const before = configuration.text ?? newFile(configuration);
  const text = editedText(putSection(before, SECTION, formatSection(keys, now)), configuration, context);
  const change = { file: configuration, text };
  if (store === "hash") return [change];
  for (const { name } of keys) refuseOverridden(variableFor(name), context.env);
  const values = Object.fromEntries(keys.map(({ name, key }) => [variableFor(name), key]));
  const variables = editedText(setVariables(envFile.text ?? "", values), envFile, context);
  return [{ file: envFile, text: variables }, change];
}

/** A new configuration must not hide the sheets that were found without one. */
function newFile({ path }: LockedFile): string {
  const folder = dirname(path);
  const sheetsHere = readdirSync(folder).some((name) => /\.csv$/i.test(name));
  if (!sheetsHere || existsSync(join(folder, "workflows"))) return "";
  return "# The sheets are in this folder.\nworkflows: .\n";
}
