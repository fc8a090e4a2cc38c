import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { isoInstant } from "../../runtime/auth/plan/section.js";
import { insertEntry } from "../../runtime/config/edit.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { changeOf, commitChanges, withFiles } from "./change-files.js";
import { type Entries, noKeys, readEntries } from "./entries.js";
import { keysJson, keysText } from "./keys-text.js";
import { readPermission } from "./token.js";

/** `flowsheet auth add`: a key of its own for one person, which only answers when nothing else is said. */
export async function addKey(context: Context, given: Given): Promise<number> {
  const userId = readUser(given.text("user"));
  const wanted = given.list("permission").map(readPermission);
  const permissions = wanted.length === 0 ? (["answer"] as const) : wanted;
  return withFiles(context, async (configuration) => {
    if (configuration.text === null) throw noKeys(configuration, context, "add to");
    const entries = readEntries(configuration, context, "add to");
    const name = unused(userId, entries);
    const key = createKey();
    const [role, graphs] = [given.text("role"), given.list("graph")];
    const text = insertEntry(configuration.text, {
      after: ["authentication", "api_keys", entries.at(-1)?.[0] ?? ""],
      name,
      value: {
        ...{ key: storedForm(key), permissions, user_id: userId },
        ...(role === null ? {} : { roles: [role] }),
        ...(graphs.length === 0 ? {} : { graphs }),
        metadata: { created: isoInstant(Date.now()), created_by: "flowsheet auth add" },
      },
    });
    const shown = [{ name, key, permissions, userId, expiresAt: null }];
    const isJson = given.flag("json");
    const change = changeOf(configuration, text, context);
    await commitChanges([change], isJson ? keysJson(shown) : keysText(shown), context);
    const file = shownPath(configuration.path, context.cwd);
    context.note(`${file} holds its digest only: keep the key now, it cannot be shown again`);
    return EXIT.done;
  });
}

function readUser(text: string | null): string {
  if (text === null)
    throw new UsageError(
      "auth add needs to know for whom",
      "flowsheet auth add --user ada makes a key for ada",
    );
  if (/^(?!os:|role:)[^\s\p{C}]{1,128}$/u.test(text)) return text;
  throw new UsageError(
    `--user takes a name without blanks that does not begin with os: or role:, not ${JSON.stringify(text)}`,
  );
}

function unused(name: string, entries: Entries): string {
  if (!entries.some(([one]) => one === name)) return name;
  throw new UsageError(
    `there is a key ${JSON.stringify(name)} already: nothing was changed`,
    "auth update --key gives it a new value",
  );
}
