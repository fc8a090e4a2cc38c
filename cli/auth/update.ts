import { parseEnv } from "node:util";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { isPermission } from "../../runtime/auth/permissions.js";
import { parseInstant } from "../../runtime/auth/plan/instant.js";
import { DEVELOPER_DAYS, daysAfter, isoInstant } from "../../runtime/auth/plan/section.js";
import { type EditResult, insertEntry, type Replacement, replaceValues } from "../../runtime/config/edit.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import type { Environment } from "../../runtime/host.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import {
  changeOf,
  commitChanges,
  putVariables,
  refuseOverridden,
  type Store,
  variableFor,
  withFiles,
} from "./change-files.js";
import { type Entries, noKeys, readEntries } from "./entries.js";
import { inOrder, keysJson, keysText, type ShownKey } from "./keys-text.js";
import {
  type Entry,
  type OldKey,
  oldKeyOf,
  overlapOf,
  unusedName,
  type Variables,
  variableIn,
} from "./old-key.js";

interface Renewed extends ShownKey {
  readonly replacements: readonly Replacement[];
  /** The variable of the `.env` file that holds it; null when the configuration holds its digest. */
  readonly variable: string | null;
  /** The entry that keeps the old key for a while; null without one. */
  readonly old: OldKey | null;
}

interface Renewal {
  readonly store: Store | null;
  readonly now: number;
  readonly variables: Variables;
  readonly env: Environment;
  /** The time that old keys stay valid; null when they end at once. */
  readonly overlapMs: number | null;
  /** Of all keys. */
  readonly names: readonly string[];
}

/** `flowsheet auth update`: new values for all keys, or for those that are named; everything else stays. */
export async function updateAuth(context: Context, given: Given): Promise<number> {
  const isJson = given.flag("json");
  return withFiles(context, async (configuration, envFile) => {
    const text = configuration.text;
    if (text === null) throw noKeys(configuration, context, "update");
    const all = readEntries(configuration, context, "update");
    const entries = chosen(all, given.list("key"));
    const renewal: Renewal = {
      // Only these two can be given.
      store: given.text("store") as Store | null,
      now: Date.now(),
      variables: parseEnv(envFile.text ?? ""),
      env: context.env,
      overlapMs: overlapOf(given.text("overlap")),
      names: all.map(([name]) => name),
    };
    const keys = inOrder(entries.map(([name, entry]) => renewKey(name, entry, renewal)));
    refuseSharedVariables(keys, all);
    const changes = [changeOf(configuration, edit(text, keys), context)];
    const variables = keys.flatMap(({ variable, key }) =>
      variable === null ? [] : [[variable, key] as const],
    );
    if (variables.length > 0) changes.push(putVariables(envFile, variables, context));
    await commitChanges(changes, isJson ? keysJson(keys) : keysText(keys), context);
    if (!isJson) tellOfOld(keys, shownPath(configuration.path, context.cwd), context);
    return EXIT.done;
  });
}

/** New values in their places, and the old keys behind the new ones. */
function edit(text: string, keys: readonly Renewed[]): EditResult {
  let result = replaceValues(
    text,
    keys.flatMap(({ replacements }) => replacements),
  );
  for (const { name, old } of keys) {
    if ("problem" in result) return result;
    if (old !== null)
      result = insertEntry(result.text, { after: ["authentication", "api_keys", name], ...old });
  }
  return result;
}

function tellOfOld(keys: readonly Renewed[], file: string, context: Context): void {
  for (const { name, old } of keys) {
    if (old === null) context.note(`the old key ${name} of ${file} is no longer valid`);
    else context.note(`the old key ${name} is valid until ${old.value["expires_at"]}, as ${old.name}`);
  }
}

/** The entries to renew. Without names these are all but old keys, which are meant to expire. */
function chosen(all: Entries, wanted: readonly string[]): Entries {
  const names = all.map(([name]) => name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = suggest(name, names);
    throw new UsageError(
      `there is no key ${JSON.stringify(name)}`,
      near === null ? `there are ${names.join(", ")}` : `did you mean ${near}?`,
    );
  }
  if (wanted.length > 0) return all.filter(([name]) => wanted.includes(name));
  return all.filter(([, { metadata }]) => !(isMapping(metadata) && metadata["replaced_by"] !== undefined));
}

function renewKey(name: string, entry: Entry, renewal: Renewal): Renewed {
  const { now, variables, env, overlapMs, names } = renewal;
  const key = createKey();
  const path = ["authentication", "api_keys", name];
  if (!Object.hasOwn(entry, "key"))
    throw new UsageError(`authentication.api_keys.${name} has no key`, 'write key: "", then try again');
  const variable = variableOf(name, entry["key"], renewal);
  if (variable !== null) refuseOverridden(variable, env);
  const value = variable === null ? storedForm(key) : `env:${variable}`;
  const dates = renewDates(entry, path, now);
  const { permissions, user_id: userId } = entry;
  const oldName = unusedName(name, names);
  const old = overlapMs === null ? null : oldKeyOf(entry, name, oldName, now + overlapMs, variables);
  if (variable !== null && old?.value["key"] === `env:${variable}`)
    throw new UsageError(
      `the old and the new key ${name} would both be in the variable ${variable}: nothing was changed`,
      "--store hash keeps digests in the configuration",
    );
  return {
    name,
    key,
    permissions: Array.isArray(permissions) ? permissions.filter(isPermission) : [],
    userId: typeof userId === "string" ? userId : "",
    expiresAt: dates.expiresAt,
    variable,
    old,
    replacements: [{ path: [...path, "key"], value }, ...dates.replacements],
  };
}

/** The variable of the `.env` file for the key; null when its digest goes into the configuration. */
function variableOf(name: string, stored: unknown, { store, variables }: Renewal): string | null {
  const referred = variableIn(stored);
  if (store === "hash") return null;
  if (referred === undefined) return store === "env" ? variableFor(name) : null;
  if (Object.hasOwn(variables, referred)) return referred;
  if (store === "env") return variableFor(name);
  throw new UsageError(
    `the key ${name} is in the environment variable ${referred}, which is set elsewhere: nothing was changed`,
    "--store hash keeps digests in the configuration, --store env keeps the keys in .env",
  );
}

/** A key that expires gets the same lifetime again. */
function renewDates(entry: Entry, path: readonly string[], now: number) {
  const metadata = isMapping(entry["metadata"]) ? entry["metadata"] : {};
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
function refuseSharedVariables(keys: readonly Renewed[], all: Entries): void {
  const renewed = new Set(keys.map(({ name }) => name));
  // Keys that are not renewed keep their variables.
  const kept = all.flatMap(([name, { key }]) => {
    const variable = variableIn(key);
    return renewed.has(name) || variable === undefined ? [] : [[variable, name] as const];
  });
  const users = new Map<string, string>(kept);
  for (const { name, variable } of keys) {
    if (variable === null) continue;
    const other = users.get(variable);
    if (other !== undefined)
      throw new UsageError(
        `the keys ${other} and ${name} would share the variable ${variable}`,
        "rename one",
      );
    users.set(variable, name);
  }
}
