import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { daysAfter, formatSection, type NewKey, STANDARD_KEYS } from "../../runtime/auth/plan/section.js";
import { putSection } from "../../runtime/config/edit.js";
import type { LockedFile } from "../../runtime/config/locked-file.js";
import { EXIT } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import {
  changeOf,
  commitChanges,
  putVariables,
  readData,
  refuseOverridden,
  type Store,
  variableFor,
  withFiles,
} from "./change-files.js";
import { keysJson, keysText } from "./keys-text.js";
import { setupText } from "./setup-text.js";

const SECTION = "authentication";

export async function initAuth(context: Context, given: Given): Promise<number> {
  const isJson = given.flag("json");
  return withFiles(context, async (configuration, envFile) => {
    // An empty section counts as none.
    if (readData(configuration, context)[SECTION] != null && !given.flag("force")) {
      const shown = shownPath(configuration.path, context.cwd);
      context.note(
        `${shown} has a section ${SECTION} already: nothing was changed (--force writes a new one)`,
      );
      if (isJson) context.stdout.write(keysJson([]));
      return EXIT.done;
    }
    const store: Store = given.text("store") === "env" ? "env" : "hash";
    const now = Date.now();
    const keys = createKeys(store, now);
    const section = putSection(
      configuration.text ?? newFile(configuration),
      SECTION,
      formatSection(keys, now),
    );
    const changes = [changeOf(configuration, section, context)];
    if (store === "env") {
      for (const { name } of keys) refuseOverridden(variableFor(name), context.env);
      const variables = keys.map(({ name, key }) => [variableFor(name), key] as const);
      // The variables come first: without the section nobody asks for them.
      changes.unshift(putVariables(envFile, variables, context));
    }
    await commitChanges(changes, isJson ? keysJson(keys) : keysText(keys), context);
    if (!isJson) context.stdout.write(await setupText(keys, configuration, envFile, store, context));
    return EXIT.done;
  });
}

function createKeys(store: Store, now: number): readonly NewKey[] {
  return STANDARD_KEYS.map(({ name, permissions, description, days }) => {
    const key = createKey();
    const stored = store === "env" ? `env:${variableFor(name)}` : storedForm(key);
    const expiresAt = days === null ? null : daysAfter(now, days);
    return { name, key, stored, permissions, description, userId: name, expiresAt };
  });
}

/** A new configuration must not hide the sheets that were found without one. */
function newFile({ path }: LockedFile): string {
  const folder = dirname(path);
  const sheetsHere = readdirSync(folder).some((name) => /\.csv$/i.test(name));
  if (!sheetsHere || existsSync(join(folder, "workflows"))) return "";
  return "# The sheets are in this folder.\nworkflows: .\n";
}
