import type { LockedFile } from "../../runtime/config/locked-file.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { readData } from "./change-files.js";
import type { Entry } from "./old-key.js";

/** The keys that a configuration holds. */
export type Entries = readonly (readonly [name: string, entry: Entry])[];

export function readEntries(configuration: LockedFile, context: Context, does: "update" | "add to"): Entries {
  const section = readData(configuration, context)["authentication"];
  const keys = isMapping(section) ? section["api_keys"] : undefined;
  if (!isMapping(keys) || Object.keys(keys).length === 0) throw noKeys(configuration, context, does);
  return Object.entries(keys).map(([name, entry]) => {
    if (isMapping(entry)) return [name, entry] as const;
    throw new UsageError(
      `authentication.api_keys.${name} is no mapping with key, permissions and user_id`,
      "flowsheet validate --section authentication shows where",
    );
  });
}

export function noKeys({ path, text }: LockedFile, { cwd }: Context, does: string): UsageError {
  const file = shownPath(path, cwd);
  return new UsageError(
    text === null ? `there is no ${file}` : `${file} has no API keys to ${does}`,
    "flowsheet auth init makes four",
  );
}
