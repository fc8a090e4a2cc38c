import type { Environment } from "../../host.js";
import { digestOf, isKeyForm, isOwnKey, KEY_PREFIX } from "../keys.js";
import type { Expand } from "../permissions.js";
import type { KeyEntry } from "./plan.js";
import { WEAK_BELOW } from "./read-keys.js";

const PREFIX = "FLOWSHEET_API_KEY_";
const PATTERN = /^FLOWSHEET_API_KEY_[A-Z0-9_]+$/;
/** Similar names, in another case or with other signs between the words, that are probably typos. */
const NEAR = /^FLOWSHEETS?[_-]?API[_-]?KEYS?(?:[_-].*)?$/i;

/** A note on a variable, without its value. */
export interface VariableNote {
  readonly name: string;
  readonly message: string;
}

/**
 * Reads the keys of the environment, which may read and write. A variable that the file refers to is a key of the
 * file, with the permissions there.
 */
export function readEnvironmentKeys(
  env: Environment,
  referred: ReadonlySet<string>,
  expand: Expand,
): { readonly keys: readonly KeyEntry[]; readonly notes: readonly VariableNote[] } {
  const keys: KeyEntry[] = [];
  const notes: VariableNote[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || referred.has(name)) continue;
    const note = (message: string): unknown => notes.push({ name, message });
    if (!PATTERN.test(name)) {
      if (NEAR.test(name)) note(`is no API key: names are ${PREFIX} and A-Z, 0-9, _`);
      continue;
    }
    const fault = faultOf(value);
    if (fault !== null) {
      note(`is ignored: ${fault}`);
      continue;
    }
    if (value.startsWith(KEY_PREFIX) && !isOwnKey(value))
      note("looks like a key of flowsheet, but its checksum is wrong");
    if (value.length < WEAK_BELOW) note(`is weak: a key has ${WEAK_BELOW} characters or more`);
    const permissions = expand(["read", "write"]);
    const userId = name.slice(PREFIX.length).toLowerCase();
    keys.push({
      name,
      source: "environment",
      digest: digestOf(value),
      permissions,
      userId,
      roles: [],
      graphs: null,
      expiresAt: null,
    });
  }
  return { keys, notes };
}

function faultOf(value: string): string | null {
  if (value === "") return "it is empty";
  if (/\s/.test(value)) return "it holds white space";
  if (/["']/.test(value)) return "it holds quotes";
  return isKeyForm(value) ? null : "a key is made of letters, digits and . _ ~ + / = -, at most 256 of them";
}
