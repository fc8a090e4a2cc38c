import { parseEnv } from "node:util";
import { parseInstant } from "../../runtime/auth/instant.js";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { isPermission } from "../../runtime/auth/permissions.js";
import { DEVELOPER_DAYS, daysAfter, isoInstant } from "../../runtime/auth/section.js";
import { type Replacement, readForEdit, replaceValues } from "../../runtime/config/edit.js";
import { setVariables } from "../../runtime/config/env-edit.js";
import type { LockedFile } from "../../runtime/config/locked-file.js";
import type { Environment } from "../../runtime/host.js";
import { type Change, commitChanges, editedText } from "../auth/commit.js";
import { inOrder, keysJson, keysText, type ShownKey } from "../auth/keys-text.js";
import { refuseOverridden, type Store, variableFor, withFiles } from "../auth/target.js";
import type { Context } from "../context.js";
import { EXIT, UsageError } from "../failure.js";
import { shownPath } from "../project.js";
import type { Given } from "../verbs.js";

type Entry = { readonly [name: string]: unknown };

/** A key that takes the place of another. */
interface Renewed extends ShownKey {
  readonly replacements: readonly Replacement[];
  /** The variable of the `.env` file that holds it; null when the configuration holds its digest. */
  readonly variable: string | null;
}

interface Renewal {
  readonly store: Store | null;
  readonly now: number;
  /** The variables of the `.env` file. */
  readonly variables: { readonly [name: string]: string | undefined };
  readonly env: Environment;
}

/** `flowsheet auth update`: new values for all keys; everything else stays. */
export async function updateAuth(context: Context, given: Given): Promise<number> {
  return withFiles(context, async (configuration, envFile) => {
    const text = configuration.text;
    if (text === null) throw noKeys(configuration, context);
    const entries = readEntries(configuration, context);
    const store = given.text("store");
    const renewal: Renewal = {
      store: store === "hash" || store === "env" ? store : null,
      now: Date.now(),
      variables: parseEnv(envFile.text ?? ""),
      env: context.env,
    };
    const keys = inOrder(entries.map(([name, entry]) => renewKey(name, entry, renewal)));
    refuseSharedVariables(keys);
    const replacements = keys.flatMap((key) => key.replacements);
    const changes: Change[] = [
      { file: configuration, text: editedText(replaceValues(text, replacements), configuration, context) },
    ];
    const variables = keys.flatMap(({ variable, key }) =>
      variable === null ? [] : [[variable, key] as const],
    );
    if (variables.length > 0) {
      const result = setVariables(envFile.text ?? "", Object.fromEntries(variables));
      changes.push({ file: envFile, text: editedText(result, envFile, context) });
    }
    commitChanges(changes, given.flag("json") ? keysJson(keys) : keysText(keys), context);
    if (!given.flag("json")) {
      context.note(`the old keys of ${shownPath(configuration.path, context.cwd)} are no longer valid`);
    }
    return EXIT.done;
  });
}

function readEntries(configuration: LockedFile, context: Context): readonly (readonly [string, Entry])[] {
  const read = readForEdit(configuration.text ?? "");
  if ("problem" in read) throw new UsageError(editedText(read, configuration, context));
  const section = read.data["authentication"];
  const keys = isEntry(section) ? section["api_keys"] : undefined;
  if (!isEntry(keys) || Object.keys(keys).length === 0) throw noKeys(configuration, context);
  return Object.entries(keys).map(([name, entry]) => {
    if (isEntry(entry)) return [name, entry] as const;
    throw new UsageError(
      `authentication.api_keys.${name} is no mapping with key, permissions and user_id`,
      "flowsheet validate --section authentication shows where",
    );
  });
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function noKeys({ path, text }: LockedFile, { cwd }: Context): UsageError {
  const file = shownPath(path, cwd);
  return new UsageError(
    text === null ? `there is no ${file}` : `${file} has no API keys to update`,
    "flowsheet auth init makes four",
  );
}

function renewKey(name: string, entry: Entry, { store, now, variables, env }: Renewal): Renewed {
  const key = createKey();
  const path = ["authentication", "api_keys", name];
  if (!Object.hasOwn(entry, "key"))
    throw new UsageError(`authentication.api_keys.${name} has no key`, 'write key: "", then try again');
  const variable = variableOf(name, entry["key"], { store, variables });
  if (variable !== null) refuseOverridden(variable, env);
  const value = variable === null ? storedForm(key) : `env:${variable}`;
  const dates = renewDates(entry, path, now);
  const { permissions, user_id: userId } = entry;
  return {
    name,
    key,
    permissions: Array.isArray(permissions) ? permissions.filter(isPermission) : [],
    userId: typeof userId === "string" ? userId : "",
    expiresAt: dates.expiresAt,
    variable,
    replacements: [{ path: [...path, "key"], value }, ...dates.replacements],
  };
}

/** Where the key's value goes: to a variable of the `.env` file, or (null) as a digest into the configuration. */
function variableOf(
  name: string,
  stored: unknown,
  { store, variables }: Pick<Renewal, "store" | "variables">,
): string | null {
  const [, referred] = /^env:([A-Za-z_]\w*)/.exec(typeof stored === "string" ? stored : "") ?? [];
  if (store === "hash") return null;
  if (referred === undefined) return store === "env" ? variableFor(name) : null;
  if (Object.hasOwn(variables, referred)) return referred;
  if (store === "env") return variableFor(name);
  throw new UsageError(
    `the key ${name} is in the environment variable ${referred}, which is set elsewhere: nothing was changed`,
    "--store hash keeps digests in the configuration, --store env keeps the keys in .env",
  );
}

/** A key that ends lasts as long again as it did before. */
function renewDates(
  entry: Entry,
  path: readonly string[],
  now: number,
): { readonly expiresAt: string | null; readonly replacements: readonly Replacement[] } {
  const metadata = isEntry(entry["metadata"]) ? entry["metadata"] : {};
  const created = typeof metadata["created"] === "string" ? metadata["created"] : null;
  const replacements: Replacement[] = [];
  if (created !== null) replacements.push({ path: [...path, "metadata", "created"], value: isoInstant(now) });
  const ends = typeof entry["expires_at"] === "string" ? entry["expires_at"] : null;
  if (ends === null) return { expiresAt: null, replacements };
  const [from, to] = [parseInstant(created ?? ""), parseInstant(ends)];
  const lifetime = from === null || to === null || to <= from ? null : to - from;
  const expiresAt = lifetime === null ? daysAfter(now, DEVELOPER_DAYS) : isoInstant(now + lifetime);
  replacements.push({ path: [...path, "expires_at"], value: expiresAt });
  return { expiresAt, replacements };
}

/** Names such as `a-b` and `a_b` would share a variable, and so a key. */
function refuseSharedVariables(keys: readonly Renewed[]): void {
  const users = new Map<string, string>();
  for (const { name, variable } of keys) {
    const other = variable === null ? undefined : users.get(variable);
    if (variable === null) continue;
    if (other !== undefined)
      throw new UsageError(
        `the keys ${other} and ${name} would share the variable ${variable}`,
        "rename one",
      );
    users.set(variable, name);
  }
}
