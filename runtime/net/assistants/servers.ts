import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { AgentError } from "../../graph/contract/errors.js";
import { isMapping } from "../../graph/values/values.js";
import { type Environment, host } from "../../host.js";

/** A server of tools: a program that is started, or an address. */
export type ToolServer =
  | {
      readonly kind: "program";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      /** All that it sees of the environment, beside `PATH`, and `SystemRoot` on Windows. */
      readonly env: { readonly [name: string]: string };
    }
  | {
      readonly kind: "address";
      readonly name: string;
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
    };

/** Programs of Windows do not begin without it. */
const ROOT = host.env["SystemRoot"];
const SYSTEM = ROOT === undefined ? {} : { SystemRoot: ROOT };

export interface ServerSource {
  /** The section `mcp`, as it stands in the file. */
  readonly section: unknown;
  readonly env: Environment;
}

const REFERENCE = /^env:([A-Za-z_]\w*)(?::([\s\S]*))?$/;

/** Finds a server of `mcp.servers`. Throws when it is not there, or cannot be used. */
export function serverNamed(name: string, { section, env }: ServerSource): ToolServer {
  const all = isMapping(section) && isMapping(section["servers"]) ? section["servers"] : {};
  const entry = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!isMapping(entry)) throw noServer(name, Object.keys(all));
  const { command, url } = entry;
  if (typeof command === "string" && url === undefined) {
    const args = entry["args"] ?? [];
    if (!Array.isArray(args)) throw fault(name, "has args that are no list");
    const variables = valuesOf(name, "env", entry["env"], env);
    return {
      kind: "program",
      name,
      command,
      args: args.map(String),
      env: { PATH: env["PATH"] ?? "", ...SYSTEM, ...variables },
    };
  }
  if (typeof url === "string" && command === undefined)
    return { kind: "address", name, url, headers: valuesOf(name, "headers", entry["headers"], env) };
  throw fault(name, "needs either a command or a url");
}

/** The values of a mapping, with the variables that they name. */
function valuesOf(
  name: string,
  part: string,
  given: unknown,
  env: Environment,
): { readonly [name: string]: string } {
  if (given === undefined || given === null) return {};
  if (!isMapping(given)) throw fault(name, `has ${part} that are no mapping`);
  const entries = Object.entries(given).map(
    ([key, value]) => [key, resolvedValue(name, String(value), env)] as const,
  );
  return Object.fromEntries(entries);
}

function resolvedValue(name: string, written: string, env: Environment): string {
  const [, variable, otherwise] = REFERENCE.exec(written) ?? [];
  if (variable === undefined) return written;
  const value = env[variable] || otherwise;
  if (value === undefined || value === "")
    throw fault(name, `needs the environment variable ${variable}, which is not set`);
  return value;
}

function noServer(name: string, names: readonly string[]): AgentError {
  const near = suggest(name, names);
  const known = names.length === 0 ? "there are none" : `known are ${names.slice(0, 8).join(", ")}`;
  const help = near === null ? known : `did you mean ${JSON.stringify(near)}?`;
  return new AgentError("agent_failed", `flowsheet.yaml has no mcp.servers.${name.slice(0, 80)}; ${help}`);
}

const fault = (name: string, why: string): AgentError =>
  new AgentError("agent_failed", `mcp.servers.${name} ${why}`);
