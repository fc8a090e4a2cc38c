import type { Environment } from "../host.js";
import { readReference } from "./environment.js";
import { type Effect, type Findings, showPath } from "./findings.js";
import type { DataPath } from "./locate.js";

/** A value that came from a variable. */
export interface Referred {
  readonly path: DataPath;
  readonly name: string;
}

/** Plain data in which references are replaced by what they stand for. */
export interface Resolved {
  readonly data: unknown;
  /** Settings whose value came from a variable, or from a reference's default. */
  readonly referred: readonly Referred[];
  /** Settings that are left out, as their variable is not set. */
  readonly unset: readonly Referred[];
}

/** Names that would reach into every object. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** Replaces references in data; reports those that lead nowhere, and names that cannot be used. */
export function resolveReferences(data: unknown, env: Environment, findings: Findings): Resolved {
  const referred: Referred[] = [];
  const unset: Referred[] = [];
  const leaf = (text: string, path: DataPath): unknown => {
    const reference = readReference(text, env);
    if (reference === null) return text;
    if (reference.kind === "value") {
      referred.push({ path, name: reference.name });
      return reference.value;
    }
    unset.push({ path, name: reference.name });
    reportDead(reference.kind, reference.name, path, findings);
    return undefined;
  };
  const visit = (value: unknown, path: DataPath): unknown => {
    if (typeof value === "string") return leaf(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== "object" || value === null) return value;
    return visitEntries(value, path, { visit, findings });
  };
  return { data: visit(data, []), referred, unset };
}

interface Visitor {
  readonly visit: (value: unknown, path: DataPath) => unknown;
  readonly findings: Findings;
}

function visitEntries(mapping: object, path: DataPath, { visit, findings }: Visitor): unknown {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(mapping)) {
    const at = [...path, name];
    if (RESERVED.has(name)) {
      findings.error("config-reserved-name", at, {
        message: `${showPath(path) || "the configuration"} has the reserved name ${JSON.stringify(name)}`,
        help: "__proto__, prototype and constructor mean something in JavaScript: choose another name",
        effect: "stop",
        spot: "key",
      });
      continue;
    }
    const resolved = visit(value, at);
    if (resolved !== undefined) kept.push([name, resolved]);
  }
  return Object.fromEntries(kept);
}

/** A credential that is not there is out of force; a folder or a port must not silently become another. */
const effectOf = ([section]: DataPath): Effect =>
  section === "authentication" || section === "llm" ? "dead" : "stop";

function reportDead(kind: "unset" | "malformed", name: string, path: DataPath, findings: Findings): void {
  if (kind === "unset") {
    findings.error("config-unset-variable", path, {
      message: `${showPath(path)} refers to the environment variable ${name}, which is not set`,
      help: `set ${name}, or write a default behind it: env:${name}:default`,
      effect: effectOf(path),
    });
    return;
  }
  findings.error("config-unset-variable", path, {
    message: `${showPath(path)} is no reference: the name of a variable must follow env:`,
    help: "write env:NAME, or env:NAME:default; a name is letters, digits and _",
    effect: effectOf(path),
  });
}
