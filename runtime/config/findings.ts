import type { AnyDiagnostic, Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Place } from "../../compiler/ir.js";

/** Keys of mappings and indexes of lists. */
export type DataPath = readonly (string | number)[];
export type Spot = "key" | "value";
export type Locator = (path: DataPath, spot: Spot) => Place | null;

/** Codes are part of the interface and never change. */
export const CONFIG_CODES = {
  "config-bad-yaml": "The file is not the YAML that Flowsheet reads.",
  "config-bad-value": "A setting has a value that it cannot have, or lacks one that it needs.",
  "config-unknown-key": "A setting is not known, so it has no effect.",
  "config-reserved-name": "A name that means something in JavaScript cannot be used.",
  "config-unset-variable": "An `env:` reference names a variable that is not set.",
  "config-bad-key": "An API key cannot be used as it is written.",
  "config-plain-key": "An API key stands in the file as plain text.",
  "config-equal-keys": "Two API keys have one value.",
  "config-bad-permission": "A permission is not one of read, write, execute, answer and admin.",
  "config-bad-expiry": "expires_at is no ISO 8601 date and time.",
  "config-expired-key": "An API key has expired.",
  "config-weak-secret": "A secret is too short.",
  "config-bad-endpoint": "An entry of public_endpoints opens nothing.",
  "config-open-endpoint": "An entry of public_endpoints opens a route that is meant to be protected.",
  "config-no-method": "Authentication is on, but nobody can present a credential.",
  "config-open-server": "Requests need no credential.",
} as const;
export type ConfigCode = keyof typeof CONFIG_CODES;

/** `stop` prevents the start; a running server keeps its old configuration. `dead` disables one entry. */
export type Effect = "stop" | "dead" | "none";

export interface ConfigFinding extends Diagnostic<ConfigCode, string> {
  readonly path: DataPath;
  readonly effect: Effect;
  /** What the help suggests in place of the marked word. */
  readonly meant: Meant | null;
}

export interface Meant {
  readonly word: string;
  readonly instead: string;
}

interface Report {
  readonly message: string;
  readonly help?: string | null;
  readonly effect?: Effect;
  /** The marked part of the setting; its value by default. */
  readonly spot?: Spot;
  readonly meant?: Meant | null;
}

export type Findings = ReturnType<typeof createFindings>;

export function createFindings(file: string, locate: Locator) {
  const found: ConfigFinding[] = [];
  const add =
    (severity: AnyDiagnostic["severity"]) =>
    (code: ConfigCode, path: DataPath, report: Report): void => {
      const { message, help = null, effect = "none", spot = "value", meant = null } = report;
      const place = locate(path, spot);
      const column = showPath(path) || null;
      const unused = { span: null, graph: null, node: null, label: null, fix: null };
      found.push({ code, severity, message, file, place, column, help, path, effect, meant, ...unused });
    };
  return { error: add("error"), warn: add("warning"), list: (): readonly ConfigFinding[] => found };
}

/** Warns of settings that nothing reads. */
export function warnUnknown(
  unknown: readonly { readonly path: DataPath; readonly known: readonly string[] }[],
  findings: Findings,
): void {
  for (const { path, known } of unknown) {
    const name = String(path.at(-1));
    findings.warn("config-unknown-key", path, {
      message: `${showPath(path.slice(0, -1)) || "the configuration"} has no setting ${JSON.stringify(name)}`,
      ...nearOr(name, known, `known are ${known.join(", ")}`),
      spot: "key",
    });
  }
}

/** `authentication.api_keys.admin`. */
export const showPath = (path: DataPath): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = /^[\w-]+$/.test(step) ? step : JSON.stringify(step);
    return text === "" ? name : `${text}.${name}`;
  }, "");

export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step)
        ? (at as { readonly [key: PropertyKey]: unknown })[step]
        : undefined,
    data,
  );
}

/** The help of a word that is not known, with the known one that is similar; otherwise what is said instead. */
export function nearOr(
  word: string,
  known: Iterable<string>,
  otherwise: string | null,
): Pick<Report, "help" | "meant"> {
  const instead = suggest(word, known);
  if (instead === null) return { help: otherwise };
  return { help: `did you mean ${JSON.stringify(instead)}?`, meant: { word, instead } };
}

/** `did you mean "port"?`; null when no name is similar. */
export function meantText(name: string, known: Iterable<string>): string | null {
  const near = suggest(name, known);
  return near === null ? null : `did you mean ${JSON.stringify(near)}?`;
}
