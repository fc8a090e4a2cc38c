import { suggest } from "../../compiler/diagnostics/suggest.js";
import { AgentError } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";

export const CONNECTION_KINDS = [
  ...(["bearer", "basic", "header", "smtp", "slack", "teams", "discord", "webhook", "telegram"] as const),
  ...(["sqlite", "postgres"] as const),
] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

interface Keys {
  readonly needed: readonly string[];
  readonly more: readonly string[];
}

/** What a connection of each kind is made of, beside `kind` and `host`. */
export const CONNECTION_KEYS: { readonly [K in ConnectionKind]: Keys } = {
  bearer: { needed: ["token"], more: [] },
  basic: { needed: ["username", "password"], more: [] },
  header: { needed: ["name", "value"], more: [] },
  smtp: { needed: ["host", "from"], more: ["port", "secure", "username", "password"] },
  slack: { needed: ["url"], more: [] },
  teams: { needed: ["url"], more: [] },
  discord: { needed: ["url"], more: [] },
  webhook: { needed: ["url"], more: [] },
  telegram: { needed: ["token", "chat"], more: ["base_url"] },
  sqlite: { needed: ["file"], more: [] },
  postgres: { needed: ["url"], more: [] },
};

/** Keys whose values never stand in the file itself. */
export const SECRET_KEYS: ReadonlySet<string> = new Set(["token", "password", "value", "url"]);

/** A connection with the values of its variables. */
export interface Connection {
  readonly name: string;
  readonly kind: ConnectionKind;
  /** The one host that its secret may go to; null: whichever the row names. Of `smtp`, the server. */
  readonly host: string | null;
  readonly values: { readonly [key: string]: string | number | boolean };
}

export interface ConnectionSource {
  /** The section `connections`, as it stands in the file. */
  readonly section: unknown;
  readonly env: Environment;
}

const REFERENCE = /^env:([A-Za-z_]\w*)(?::([\s\S]*))?$/;

/** Finds a connection. Throws when it is not there, is of another kind, or cannot be used. */
export function connectionNamed(
  name: string,
  kinds: readonly ConnectionKind[],
  { section, env }: ConnectionSource,
): Connection {
  const all = isMapping(section) ? section : {};
  const entry = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!isMapping(entry)) throw noConnection(name, Object.keys(all));
  const kind = CONNECTION_KINDS.find((one) => one === entry["kind"]);
  if (kind === undefined || !kinds.includes(kind))
    throw fault(name, `must be of kind ${kinds.join(" or ")}, not ${JSON.stringify(entry["kind"] ?? null)}`);
  const { needed, more } = CONNECTION_KEYS[kind];
  const known = new Set([...needed, ...more]);
  const values: { [key: string]: string | number | boolean } = {};
  for (const [key, given] of Object.entries(entry)) {
    if (key === "kind" || given === null) continue;
    if (key !== "host" && !known.has(key)) throw fault(name, `of kind ${kind} has no ${JSON.stringify(key)}`);
    values[key] = readValue(name, key, given, env);
  }
  const lacking = needed.find((key) => values[key] === undefined);
  if (lacking !== undefined) throw fault(name, `of kind ${kind} needs ${lacking}`);
  const { host = null } = values;
  return { name, kind, host: host === null ? null : String(host), values };
}

function readValue(name: string, key: string, given: unknown, env: Environment): string | number | boolean {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean")
    throw fault(name, `has a ${key} that is no text`);
  const [, variable, otherwise] = REFERENCE.exec(String(given)) ?? [];
  if (variable === undefined) {
    if (SECRET_KEYS.has(key)) throw fault(name, `must have its ${key} as env:NAME, not in the file`);
    return given;
  }
  const value = env[variable] || otherwise;
  if (value === undefined || value === "")
    throw fault(name, `needs the environment variable ${variable}, which is not set`);
  return value;
}

function noConnection(name: string, names: readonly string[]): AgentError {
  const near = suggest(name, names);
  const known = names.length === 0 ? "there are none" : `known are ${names.slice(0, 8).join(", ")}`;
  const help = near === null ? known : `did you mean ${JSON.stringify(near)}?`;
  return new AgentError("agent_failed", `flowsheet.yaml has no connection ${JSON.stringify(name)}; ${help}`);
}

const fault = (name: string, why: string): AgentError =>
  new AgentError("agent_failed", `connections.${name} ${why}`);
