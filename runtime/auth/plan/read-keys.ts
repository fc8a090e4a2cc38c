import { type Findings, meantText, showPath } from "../../config/findings.js";
import type { DataPath } from "../../config/locate.js";
import type { Referred } from "../../config/references.js";
import { DIGEST_PREFIX, digestOf, isKeyForm, isOwnKey, KEY_PREFIX, parseStored } from "../keys.js";
import { type Expand, isPermission, PERMISSIONS, type Permission } from "../permissions.js";
import { parseInstant } from "./instant.js";
import type { KeyEntry } from "./plan.js";

type Entry = { readonly [name: string]: unknown };
type Path = readonly string[];

/** What a key may be described with. */
const KNOWN = ["key", "permissions", "user_id", "expires_at", "metadata"];
const KNOWN_METADATA = ["description", "created", "created_by", "replaced_by"];
const WEAK_BELOW = 32;

export interface KeyReading {
  readonly findings: Findings;
  readonly expand: Expand;
  readonly referred: readonly Referred[];
  readonly unset: readonly Referred[];
  readonly now: number;
}

/** Reads the keys of the file: an entry with a fault is reported and left out. */
export function readKeys(
  entries: { readonly [name: string]: Entry },
  reading: KeyReading,
): readonly KeyEntry[] {
  const keys = Object.entries(entries).flatMap(([name, entry]) => readKey(name, entry, reading) ?? []);
  reportEqual(keys, reading.findings);
  return keys;
}

const pathOf = (name: string): Path => ["authentication", "api_keys", name];

function readKey(name: string, entry: Entry, reading: KeyReading): KeyEntry | null {
  const path = pathOf(name);
  const { findings, expand, now } = reading;
  reportUnknown(entry, path, findings);
  const digest = readDigest(entry["key"], [...path, "key"], reading);
  const permissions = readPermissions(entry["permissions"], [...path, "permissions"], findings);
  const userId = readUser(entry["user_id"], [...path, "user_id"], reading);
  const expiresAt = readExpiry(entry["expires_at"], [...path, "expires_at"], reading);
  if (digest === null || permissions === null || userId === null || expiresAt === "bad") return null;
  if (expiresAt !== null && expiresAt <= now) {
    findings.warn("config-expired-key", [...path, "expires_at"], {
      message: `${showPath(path)} has expired`,
      help: "flowsheet auth update makes new keys",
    });
  }
  return { name, source: "file", digest, permissions: expand(permissions), userId, expiresAt };
}

function reportUnknown(entry: Entry, path: Path, findings: Findings): void {
  const check = (data: Entry, at: Path, known: readonly string[]): void => {
    for (const name of Object.keys(data)) {
      if (known.includes(name)) continue;
      findings.warn("config-unknown-key", [...at, name], {
        message: `${showPath(at)} has no setting ${JSON.stringify(name)}`,
        help: meantText(name, known) ?? `known are ${known.join(", ")}`,
        spot: "key",
      });
    }
  };
  check(entry, path, KNOWN);
  const { metadata } = entry;
  if (metadata === undefined) return;
  if (isMapping(metadata)) check(metadata, [...path, "metadata"], KNOWN_METADATA);
  else
    findings.error(
      "config-bad-value",
      [...path, "metadata"],
      must([...path, "metadata"], "a mapping of settings"),
    );
}

const isMapping = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const must = (path: DataPath, expected: string, help: string | null = null) =>
  ({ message: `${showPath(path)} must be ${expected}`, help, effect: "dead" }) as const;

function readDigest(value: unknown, path: Path, reading: KeyReading): Buffer | null {
  const { findings, referred } = reading;
  if (value === undefined) {
    if (!isUnset(path, reading))
      findings.error("config-bad-key", path, must(path, "given: the entry has no key"));
    return null;
  }
  if (typeof value !== "string" || value === "") {
    const help = "quote this value: without quotes YAML reads it as a number, and digits get lost";
    findings.error("config-bad-key", path, must(path, "text", typeof value === "number" ? help : null));
    return null;
  }
  const fromVariable = referred.some((one) => isSame(one.path, path));
  const stored = fromVariable ? null : parseStored(value);
  if (stored !== null) return stored;
  return readPlain(value, path, { findings, fromVariable });
}

const isUnset = (path: Path, { unset }: KeyReading): boolean => unset.some((one) => isSame(one.path, path));
const isSame = (a: DataPath, b: DataPath): boolean =>
  a.length === b.length && a.every((step, index) => step === b[index]);

interface Plain {
  readonly findings: Findings;
  readonly fromVariable: boolean;
}

function readPlain(value: string, path: Path, { findings, fromVariable }: Plain): Buffer | null {
  if (!fromVariable && value.startsWith(DIGEST_PREFIX)) {
    findings.error("config-bad-key", path, must(path, "sha256: and 64 hexadecimal digits"));
    return null;
  }
  if (!isKeyForm(value)) {
    const expected = "of letters, digits and . _ ~ + / = -, at most 256 of them, without spaces or quotes";
    findings.error("config-bad-key", path, must(path, expected));
    return null;
  }
  if (!fromVariable) {
    findings.warn("config-plain-key", path, {
      message: `${showPath(path)} stands in the file as plain text`,
      help: "flowsheet auth update makes new keys and keeps only their digests; or write env:NAME",
    });
  }
  if (value.startsWith(KEY_PREFIX) && !isOwnKey(value)) {
    findings.warn("config-bad-key", path, {
      message: `${showPath(path)} looks like a key of flowsheet, but its checksum is wrong`,
      help: "was it cut off, or typed by hand?",
    });
  }
  if (value.length < WEAK_BELOW) {
    findings.warn("config-weak-secret", path, {
      message: `${showPath(path)} is shorter than ${WEAK_BELOW} characters: it can be guessed`,
      help: "flowsheet auth update makes keys of 32 random bytes",
    });
  }
  return digestOf(value);
}

/** Reads a list of permissions; null when it cannot be used. */
export function readPermissions(
  value: unknown,
  path: Path,
  findings: Findings,
): readonly Permission[] | null {
  const known = `a list of ${PERMISSIONS.join(", ")}`;
  if (!Array.isArray(value)) {
    findings.error("config-bad-permission", path, must(path, `${known}, such as [read, execute]`));
    return null;
  }
  if (value.length === 0) {
    findings.error("config-bad-permission", path, {
      message: `${showPath(path)} is empty: it permits nothing`,
      help: known,
    });
  }
  const bad = value.flatMap((one, index) => (isGood(one, index, value) ? [] : [index]));
  for (const index of bad) reportPermission(value, [...path, index], findings);
  return bad.length > 0 ? null : value.filter(isPermission);
}

const isGood = (one: unknown, index: number, all: readonly unknown[]): boolean =>
  isPermission(one) && all.indexOf(one) === index;

function reportPermission(all: readonly unknown[], path: DataPath, findings: Findings): void {
  const value = all[Number(path.at(-1))];
  const twice = isPermission(value);
  const shown = JSON.stringify(value).slice(0, 80);
  findings.error("config-bad-permission", path, {
    message: twice ? `the permission ${shown} stands here twice` : `${shown} is no permission`,
    help:
      (typeof value === "string" && !twice ? meantText(value, PERMISSIONS) : null) ??
      `permissions are ${PERMISSIONS.join(", ")}, each once`,
    effect: "dead",
  });
}

function readUser(value: unknown, path: Path, reading: KeyReading): string | null {
  if (typeof value === "string" && value !== "") return value;
  if (value === undefined && isUnset(path, reading)) return null;
  const help = typeof value === "number" ? "quote this value: it is text" : null;
  reading.findings.error("config-bad-value", path, must(path, "text: who uses the key", help));
  return null;
}

/** Anything that is no point in time kills the key: it must never mean "for ever". */
function readExpiry(value: unknown, path: Path, reading: KeyReading): number | null | "bad" {
  if (value === undefined) return isUnset(path, reading) ? "bad" : null;
  const instant = typeof value === "string" ? parseInstant(value) : null;
  if (instant !== null) return instant;
  reading.findings.error(
    "config-bad-expiry",
    path,
    must(path, "an ISO 8601 date and time", 'such as "2027-01-31T12:00:00Z"; without an offset it is UTC'),
  );
  return "bad";
}

function reportEqual(keys: readonly KeyEntry[], findings: Findings): void {
  const first = new Map<string, string>();
  for (const { name, digest } of keys) {
    const known = first.get(digest.toString("hex"));
    if (known === undefined) first.set(digest.toString("hex"), name);
    else {
      findings.error("config-equal-keys", [...pathOf(name), "key"], {
        message: `the keys ${JSON.stringify(known)} and ${JSON.stringify(name)} have one value`,
        help: "give each its own: flowsheet auth update makes new ones",
        effect: "stop",
      });
    }
  }
}
