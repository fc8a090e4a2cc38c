import { AgentError } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import { ALLOWED_FORM, type AllowedHost, readAllowed } from "./allowed.js";
import type { NetworkRules } from "./checked-addresses.js";

/**
 * The rules of the section `network`, as it stands in the file. `others` is false for a server and its workers: what
 * strangers begin calls only hosts that are listed.
 */
export function readRules(section: unknown, others: boolean): NetworkRules {
  const { allow = [], private: own = false } = isMapping(section) ? section : {};
  if (!Array.isArray(allow)) throw fault("allow", "a list of hosts");
  if (typeof own !== "boolean") throw fault("private", "true or false");
  return { allow: allow.map(entryOf), private: own, others };
}

function entryOf(written: unknown): AllowedHost {
  const entry = typeof written === "string" ? readAllowed(written) : null;
  if (entry === null) throw fault("allow", `a list of hosts, each ${ALLOWED_FORM}`);
  return entry;
}

const fault = (setting: string, expected: string): AgentError =>
  new AgentError("agent_failed", `network.${setting} in flowsheet.yaml must be ${expected}`);
