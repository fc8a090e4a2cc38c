import {
  type ConfigCode,
  type DataPath,
  type Findings,
  meantText,
  showPath,
  warnUnknown,
} from "../../config/findings.js";
import { unknownIn, values } from "../../config/known-settings.js";
import { isAmong } from "../../config/references.js";
import { isMapping } from "../../graph/values/values.js";
import { DIGEST_PREFIX, digestOf, isKeyForm, isOwnKey, KEY_PREFIX, parseStored } from "../keys.js";
import { type Expand, isPermission, PERMISSIONS, type Permission } from "../permissions.js";
import { parseInstant } from "./instant.js";
import type { KeyEntry, PlanSource } from "./plan.js";

type Entry = { readonly [name: string]: unknown };

const API_KEYS = ["authentication", "api_keys"];
const NAMES = {
  ...values("key permissions user_id roles graphs expires_at"),
  metadata: values("description created created_by replaced_by"),
};
export const WEAK_BELOW = 32;

/** Reads the keys of the file. An entry with an error is reported and left out. */
export function readKeys(
  entries: { readonly [name: string]: Entry },
  source: PlanSource,
  expand: Expand,
): readonly KeyEntry[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const key = readKey([...API_KEYS, name], entry, source);
    return key === null ? [] : { ...key, name, source: "file", permissions: expand(key.permissions) };
  });
}

interface ReadKey extends Pick<KeyEntry, "digest" | "userId" | "roles" | "graphs" | "expiresAt"> {
  readonly permissions: readonly Permission[];
}

/** A variable that is not set was reported before, so its key is left out silently. */
function readKey(path: DataPath, entry: Entry, source: PlanSource): ReadKey | null {
  const { findings, unset, now } = source;
  warnUnknown(unknownIn(entry, NAMES, path), findings);
  const { metadata = {} } = entry;
  if (!isMapping(metadata))
    refuse(findings, [...path, "metadata"], ["config-bad-value", "a mapping of settings"]);
  const at = (name: string): DataPath => [...path, name];
  const isUnset = (name: string): boolean => entry[name] === undefined && isAmong(unset, at(name));
  const digest = isUnset("key") ? null : readDigest(entry["key"], at("key"), source);
  const permissions = readPermissions(entry["permissions"], at("permissions"), findings);
  const userId = isUnset("user_id") ? null : readUser(entry["user_id"], at("user_id"), findings);
  const expiresAt = isUnset("expires_at")
    ? "bad"
    : readExpiry(entry["expires_at"], at("expires_at"), findings);
  const roles = readNames(entry["roles"], at("roles"), findings, [
    "a list of roles, such as [finance]",
    ROLE,
  ]);
  if (digest === null || permissions === null || userId === null || roles === null) return null;
  const graphs = readNames(entry["graphs"], at("graphs"), findings, [
    "a list of graphs, or of folders such as team/*",
    GRAPHS,
  ]);
  if (graphs === null || expiresAt === "bad") return null;
  if (expiresAt !== null && expiresAt <= now) {
    findings.warn("config-expired-key", at("expires_at"), {
      message: `${showPath(path)} has expired`,
      help: "flowsheet auth update makes new keys",
    });
  }
  // Without the setting there is no limit; an empty list is an error.
  const limit = entry["graphs"] === undefined ? null : graphs;
  return { digest, permissions, userId, roles, graphs: limit, expiresAt };
}

type Refusal = readonly [code: ConfigCode, expected: string, help?: string | false | undefined];

/** Reports an error and leaves out the entry. */
function refuse(findings: Findings, path: DataPath, [code, expected, help]: Refusal): null {
  const message = `${showPath(path)} must be ${expected}`;
  findings.error(code, path, { message, help: help || null, effect: "dead" });
  return null;
}

function readDigest(value: unknown, path: DataPath, { findings, referred }: PlanSource): Buffer | null {
  const no = (expected: string, help?: string | false): null =>
    refuse(findings, path, ["config-bad-key", expected, help]);
  if (value === undefined) return no("given: the entry has no key");
  if (typeof value !== "string" || value === "") {
    const help = "quote this value: without quotes YAML reads it as a number, and digits get lost";
    return no("text", typeof value === "number" && help);
  }
  const isPlain = !isAmong(referred, path);
  const stored = isPlain ? parseStored(value) : null;
  if (stored !== null) return stored;
  if (isPlain && value.startsWith(DIGEST_PREFIX)) return no("sha256: and 64 hexadecimal digits");
  if (!isKeyForm(value))
    return no("of letters, digits and . _ ~ + / = -, at most 256 of them, without spaces or quotes");
  const doubt = (code: ConfigCode, message: string, help: string): void =>
    findings.warn(code, path, { message: `${showPath(path)} ${message}`, help });
  if (isPlain) {
    const help = "flowsheet auth update makes new keys and keeps only their digests; or write env:NAME";
    doubt("config-plain-key", "stands in the file as plain text", help);
  }
  if (value.startsWith(KEY_PREFIX) && !isOwnKey(value)) {
    const help = "was it cut off, or typed by hand?";
    doubt("config-bad-key", "looks like a key of flowsheet, but its checksum is wrong", help);
  }
  if (value.length < WEAK_BELOW) {
    const help = "flowsheet auth update makes keys of 32 random bytes";
    doubt("config-weak-secret", `is shorter than ${WEAK_BELOW} characters: it can be guessed`, help);
  }
  return digestOf(value);
}

export function readPermissions(
  value: unknown,
  path: DataPath,
  findings: Findings,
): readonly Permission[] | null {
  const known = `a list of ${PERMISSIONS.join(", ")}`;
  if (!Array.isArray(value))
    return refuse(findings, path, ["config-bad-permission", `${known}, such as [read, execute]`]);
  if (value.length === 0) {
    const message = `${showPath(path)} is empty: it permits nothing`;
    findings.error("config-bad-permission", path, { message, help: known });
  }
  const good = value.filter((one, index) => isPermission(one) && value.indexOf(one) === index);
  for (const [index, one] of value.entries())
    if (!isPermission(one) || value.indexOf(one) !== index) reportPermission(one, [...path, index], findings);
  return good.length < value.length ? null : good;
}

function reportPermission(value: unknown, path: DataPath, findings: Findings): void {
  const twice = isPermission(value);
  const shown = JSON.stringify(value).slice(0, 80);
  const meant = typeof value === "string" && !twice ? meantText(value, PERMISSIONS) : null;
  findings.error("config-bad-permission", path, {
    message: twice ? `the permission ${shown} stands here twice` : `${shown} is no permission`,
    help: meant ?? `permissions are ${PERMISSIONS.join(", ")}, each once`,
    effect: "dead",
  });
}

/** A role has a plain name: `role:` stands only where it is asked. */
const ROLE = /^(?!role:)\S(?:.*\S)?$/;

/** A graph's name, which holds no `/`, or a folder of the workflows folder and `/*`. */
const GRAPHS = /^(?!\*$)(?:[^/]+|(?:(?!\.{1,2}\/)[^/*]+\/)+\*)$/;

/** A list of names, which may be left out. */
function readNames(
  value: unknown,
  path: DataPath,
  findings: Findings,
  [expected, form]: readonly [expected: string, form: RegExp],
): readonly string[] | null {
  if (value === undefined) return [];
  const isName = (one: unknown): one is string => typeof one === "string" && form.test(one);
  if (Array.isArray(value) && value.length > 0 && value.every(isName)) return value;
  return refuse(findings, path, ["config-bad-value", expected]);
}

function readUser(value: unknown, path: DataPath, findings: Findings): string | null {
  if (typeof value === "string" && /^(?:os|role):/.test(value))
    return refuse(findings, path, [
      "config-bad-value",
      "another name: os: is for users of the command line, and role: for roles",
    ]);
  if (typeof value === "string" && value !== "") return value;
  const help = typeof value === "number" && "quote this value: it is text";
  return refuse(findings, path, ["config-bad-value", "text: who uses the key", help]);
}

/** A wrong date invalidates the key: it must never mean "no end". */
function readExpiry(value: unknown, path: DataPath, findings: Findings): number | null | "bad" {
  if (value === undefined) return null;
  const instant = typeof value === "string" ? parseInstant(value) : null;
  if (instant !== null) return instant;
  const help = 'such as "2027-01-31T12:00:00Z"; without an offset it is UTC';
  refuse(findings, path, ["config-bad-expiry", "an ISO 8601 date and time", help]);
  return "bad";
}
