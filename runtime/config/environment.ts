import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseEnv } from "node:util";
import type { Environment } from "../host.js";

export type Reference =
  | { readonly kind: "value"; readonly name: string; readonly value: string }
  | { readonly kind: "unset" | "malformed"; readonly name: string };

const PREFIX = "env:";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const isReference = (text: string): boolean => text.startsWith(PREFIX);

/**
 * Null for text that is not a reference. An empty variable counts as unset. A variable's value is never resolved again.
 */
export function readReference(text: string, env: Environment): Reference | null {
  if (!isReference(text)) return null;
  const rest = text.slice(PREFIX.length);
  const colon = rest.indexOf(":");
  const name = colon === -1 ? rest : rest.slice(0, colon);
  if (!NAME.test(name)) return { kind: "malformed", name };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && value !== "") return { kind: "value", name, value };
  if (colon === -1) return { kind: "unset", name };
  return { kind: "value", name, value: rest.slice(colon + 1) };
}

export const ENV_FILE = ".env";
const MAX_SIZE = 1_000_000;

/** Variables of the process override those of `.env`. */
export function withEnvFile(env: Environment, root: string): Environment {
  const file = join(root, ENV_FILE);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > MAX_SIZE) return env;
    return { ...parseEnv(readFileSync(file, "utf8")), ...env };
  } catch {
    return env;
  }
}

/** Replaces existing lines and appends new ones; all other lines stay. */
export function setVariables(
  text: string,
  values: { readonly [name: string]: string },
): { readonly text: string } | { readonly problem: string } {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let next = text;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:[ \\t]*export[ \\t]+|[ \\t]*)${name}[ \\t]*=.*$`, "m");
    if (line.test(next)) next = next.replace(line, () => `${name}=${value}`);
    else next = `${next}${next === "" || next.endsWith("\n") ? "" : eol}${name}=${value}${eol}`;
  }
  const same = isDeepStrictEqual({ ...parseEnv(next) }, { ...parseEnv(text), ...values });
  return same ? { text: next } : { problem: "its variables stand in a way that cannot be changed here" };
}
