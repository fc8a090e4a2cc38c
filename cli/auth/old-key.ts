import { parseStored, storedForm } from "../../runtime/auth/keys.js";
import { parseInstant } from "../../runtime/auth/plan/instant.js";
import { isoInstant } from "../../runtime/auth/plan/section.js";
import { UsageError } from "../failure.js";

export type Entry = { readonly [name: string]: unknown };

/** A replaced key that stays valid for the overlap. */
export interface OldKey {
  readonly name: string;
  readonly value: Entry;
}

/** The variables of the `.env` file, as they were before the new keys are written there. */
export type Variables = { readonly [name: string]: string | undefined };

const UNITS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST_MS = 366 * 86_400_000;

/** Milliseconds of a text such as `24h`; null when nothing is given. */
export function overlapOf(text: string | null): number | null {
  if (text === null) return null;
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= MOST_MS) return ms;
  throw new UsageError(
    `--overlap takes a time such as 24h, 30m or 7d, a year at most, not ${JSON.stringify(text)}`,
  );
}

export function unusedName(name: string, taken: readonly string[]): string {
  for (let i = 1; ; i++) {
    const wanted = `${name}_old${i === 1 ? "" : i}`;
    if (!taken.includes(wanted)) return wanted;
  }
}

/** Permissions stay. Null when the end of the key cannot be read: the key was not valid, and must not become valid. */
export function oldKeyOf(
  entry: Entry,
  name: string,
  oldName: string,
  until: number,
  variables: Variables,
): OldKey | null {
  const { metadata, expires_at: written, ...rest } = entry;
  if (typeof written === "string" && written.startsWith("env:"))
    throw new UsageError(
      `the key ${name} ends at a time that is in the environment, so its overlap cannot be worked out`,
      "write the time itself as expires_at, or leave out --overlap",
    );
  const ends = written === undefined ? until : parseInstant(typeof written === "string" ? written : "");
  if (ends === null) return null;
  return {
    name: oldName,
    value: {
      ...rest,
      key: keptForm(entry["key"], variables),
      expires_at: isoInstant(Math.min(ends, until)),
      metadata: { ...(typeof metadata === "object" ? metadata : {}), replaced_by: name },
    },
  };
}

/** Undefined when the key itself is in the configuration. */
export const variableIn = (stored: unknown): string | undefined =>
  typeof stored === "string" ? /^env:([A-Za-z_]\w*)/.exec(stored)?.[1] : undefined;

/** The digest of the key. A variable outside of `.env` stays a reference. */
function keptForm(stored: unknown, variables: Variables): unknown {
  if (typeof stored !== "string") return stored;
  const variable = variableIn(stored);
  if (variable === undefined) return parseStored(stored) === null ? storedForm(stored) : stored;
  const value = variables[variable];
  return value === undefined ? stored : storedForm(value);
}
