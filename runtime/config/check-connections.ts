import { findSecret, isNamedSecret } from "../../compiler/diagnostics/secret-forms.js";
import { CONNECTION_KEYS, SECRET_KEYS } from "../net/connections.js";
import { type Findings, nearOr, showPath } from "./findings.js";
import { isAmong, type Resolved } from "./references.js";
import type { Settings } from "./schema.js";
import { isSecretName } from "./secrets.js";

type Connections = Settings["connections"];

/** What a connection of its kind needs, what it does not know, and secrets that stand in the file. */
export function checkConnections(connections: Connections, resolved: Resolved, findings: Findings): void {
  for (const [name, { kind, ...entry }] of Object.entries(connections)) {
    const at = ["connections", name];
    const { needed, more } = CONNECTION_KEYS[kind];
    const known = [...new Set(["host", ...needed, ...more])];
    for (const key of needed) {
      if (Object.hasOwn(entry, key) || isAmong(resolved.unset, [...at, key])) continue;
      const message = `${showPath(at)} is a connection of kind ${kind} and has no ${key}`;
      findings.error("config-bad-value", at, { message, help: `it has ${known.join(", ")}`, effect: "dead" });
    }
    for (const key of Object.keys(entry)) {
      if (!known.includes(key)) warnUnknown([...at, key], kind, known, findings);
      else if (SECRET_KEYS.has(key) && !isAmong(resolved.referred, [...at, key]))
        refusePlain([...at, key], findings);
    }
  }
}

/** Secrets that stand in the file among what servers of tools are given. */
export function checkServerSecrets(
  mcp: Settings["mcp"] | undefined,
  resolved: Resolved,
  findings: Findings,
): void {
  for (const [server, { headers = {}, env = {} }] of Object.entries(mcp?.servers ?? {}))
    for (const [part, given] of Object.entries({ headers, env }))
      for (const [name, value] of Object.entries(given)) {
        const at = ["mcp", "servers", server, part, name];
        if (isAmong(resolved.referred, at) || !looksSecret(name, value.reveal())) continue;
        findings.warn("config-bad-value", at, {
          message: `${showPath(at)} looks like a secret: it should be env:NAME`,
          help: "set a variable of the environment, and name it here",
        });
      }
}

const looksSecret = (name: string, value: string): boolean =>
  value !== "" && (isSecretName(name) || isNamedSecret(name, value) || findSecret(value) !== null);

function warnUnknown(
  path: readonly string[],
  kind: string,
  known: readonly string[],
  findings: Findings,
): void {
  const key = path.at(-1) ?? "";
  findings.warn("config-unknown-key", path, {
    message: `a connection of kind ${kind} has no ${JSON.stringify(key)}`,
    ...nearOr(key, known, `it has ${known.join(", ")}`),
    spot: "key",
  });
}

function refusePlain(path: readonly string[], findings: Findings): void {
  findings.error("config-bad-value", path, {
    message: `${showPath(path)} must be env:NAME: secrets do not stand in this file`,
    help: "set a variable of the environment, and name it here",
    effect: "dead",
  });
}
