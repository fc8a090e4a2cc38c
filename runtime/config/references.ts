import { isDeepStrictEqual } from "node:util";
import { isMapping, isReserved } from "../graph/values/values.js";
import type { Environment } from "../host.js";
import { readReference } from "./environment.js";
import { type DataPath, type Findings, showPath } from "./findings.js";

export interface Referred {
  readonly path: DataPath;
  readonly name: string;
}

export interface Resolved {
  readonly data: unknown;
  /** Settings with a value of a variable, or with a reference's default. */
  readonly referred: readonly Referred[];
  /** Settings that are left out because their variable is not set. */
  readonly unset: readonly Referred[];
}

/** True for a setting with the value of a variable, also of one that is not set. */
export const isAmong = (settings: readonly Referred[], path: readonly PropertyKey[]): boolean =>
  settings.some((one) => isDeepStrictEqual(one.path, path));

/** Reports unresolved references and reserved names. */
export function resolveReferences(data: unknown, env: Environment, findings: Findings): Resolved {
  const referred: Referred[] = [];
  const unset: Referred[] = [];
  const lookUp = (text: string, path: DataPath): unknown => {
    const reference = readReference(text, env);
    if (reference === null) return text;
    const { kind, name } = reference;
    (kind === "value" ? referred : unset).push({ path, name });
    if (kind === "value") return reference.value;
    reportDead(kind, name, path, findings);
    return undefined;
  };
  const visit = (value: unknown, path: DataPath): unknown => {
    if (typeof value === "string") return lookUp(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (!isMapping(value)) return value;
    const usable = Object.entries(value).filter(([name]) => !isRefused(name, path, findings));
    const visited = usable.map(([name, one]) => [name, visit(one, [...path, name])] as const);
    return Object.fromEntries(visited.filter(([, one]) => one !== undefined));
  };
  return { data: visit(data, []), referred, unset };
}

function isRefused(name: string, path: DataPath, findings: Findings): boolean {
  if (!isReserved(name)) return false;
  findings.error("config-reserved-name", [...path, name], {
    message: `${showPath(path) || "the configuration"} has the reserved name ${JSON.stringify(name)}`,
    help: "__proto__, prototype and constructor mean something in JavaScript: choose another name",
    effect: "stop",
    spot: "key",
  });
  return true;
}

/** Sections of which one entry may be out of force. */
const ENTRIES: ReadonlySet<unknown> = new Set(["authentication", "llm", "connections"]);

function reportDead(kind: "unset" | "malformed", name: string, path: DataPath, findings: Findings): void {
  const [message, help] =
    kind === "unset"
      ? [
          `refers to the environment variable ${name}, which is not set`,
          `set ${name}, or write a default behind it: env:${name}:default`,
        ]
      : [
          "is no reference: the name of a variable must follow env:",
          "write env:NAME, or env:NAME:default; a name is letters, digits and _",
        ];
  // A missing credential disables its entry. A folder or port must not silently get another value.
  const effect = ENTRIES.has(path[0]) ? "dead" : "stop";
  findings.error("config-unset-variable", path, { message: `${showPath(path)} ${message}`, help, effect });
}
