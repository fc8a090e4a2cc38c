import type { Environment } from "../../host.js";
import { digestOf, isKeyForm, isOwnKey, KEY_PREFIX } from "../keys.js";
import type { Expand } from "../permissions.js";
import type { KeyEntry } from "./plan.js";

const PREFIX = "FLOWSHEET_API_KEY_";
const PATTERN = /^FLOWSHEET_API_KEY_[A-Z0-9_]+$/;
/** Names that were probably meant to be one, written in another case or with another sign between the words. */
const NEAR = /^FLOWSHEETS?[_-]?API[_-]?KEYS?(?:[_-].*)?$/i;
const WEAK_BELOW = 32;

/** Something to know about a variable; it never holds the value. */
export interface VariableNote {
  readonly name: string;
  readonly message: string;
}

/** The keys that variables define, and what is odd about others. */
export interface EnvironmentKeys {
  readonly keys: readonly KeyEntry[];
  readonly notes: readonly VariableNote[];
}

/**
 * Reads the keys of the environment: each permits reading and writing. Variables that the file refers to are keys
 * of the file, with the permissions that stand there.
 */
export function readEnvironmentKeys(
  env: Environment,
  referred: ReadonlySet<string>,
  expand: Expand,
): EnvironmentKeys {
  const keys: KeyEntry[] = [];
  const notes: VariableNote[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || referred.has(name)) continue;
    if (!PATTERN.test(name)) {
      if (NEAR.test(name))
        notes.push({ name, message: `is no API key: names are ${PREFIX} and A-Z, 0-9, _` });
      continue;
    }
    const fault = faultOf(value);
    if (fault !== null) notes.push({ name, message: `is ignored: ${fault}` });
    else {
      if (value.startsWith(KEY_PREFIX) && !isOwnKey(value))
        notes.push({ name, message: "looks like a key of flowsheet, but its checksum is wrong" });
      if (value.length < WEAK_BELOW)
        notes.push({ name, message: "is weak: a key has 32 characters or more" });
      keys.push(keyOf(name, value, expand));
    }
  }
  return { keys, notes };
}

function keyOf(name: string, value: string, expand: Expand): KeyEntry {
  return {
    name,
    source: "environment",
    digest: digestOf(value),
    permissions: expand(["read", "write"]),
    userId: name.slice(PREFIX.length).toLowerCase(),
    expiresAt: null,
  };
}

function faultOf(value: string): string | null {
  if (value === "") return "it is empty";
  if (/\s/.test(value)) return "it holds white space";
  if (/["']/.test(value)) return "it holds quotes";
  return isKeyForm(value) ? null : "a key is made of letters, digits and . _ ~ + / = -, at most 256 of them";
}
