import type { z } from "zod";
import { cronFault } from "../../compiler/2-analyze/settings/cron.js";
import { isMapping } from "../graph/values/values.js";
import { KINDS } from "../llm/settings.js";
import { type DataPath, type Findings, nearOr, showPath, valueAt, warnUnknown } from "./findings.js";
import { NAMES, unknownIn } from "./known-settings.js";
import { isAmong, type Resolved } from "./references.js";
import { LOGGERS, SECTIONS, type SectionName, type Settings, sections } from "./schema.js";
import { holdsLogin, isSecretName } from "./secrets.js";

type Issue = z.core.$ZodIssue;

export type CheckedSections = { readonly [S in SectionName]?: Settings[S] | undefined };

/**
 * Each section is checked by itself. An unknown key is a warning and is ignored; a wrong value is an error, and its
 * section is left out.
 */
export function checkStructure(resolved: Resolved, findings: Findings): CheckedSections {
  const data = resolved.data ?? {};
  if (!isMapping(data)) {
    findings.error("config-bad-value", [], {
      message: "the configuration is not a mapping of settings",
      help: "write a setting a line, such as workflows: flows",
      effect: "stop",
    });
    return {};
  }
  const entries = SECTIONS.map((name) => [name, withoutNothing(data[name], name)] as const);
  const kept = { ...data, ...Object.fromEntries(entries) };
  const unknown = unknownIn(kept, NAMES, []);
  for (const { path } of unknown) {
    const parent = valueAt(kept, path.slice(0, -1)) as { [name: string]: unknown };
    delete parent[String(path.at(-1))];
  }
  warnUnknown(unknown, findings);
  return Object.fromEntries(
    SECTIONS.map((name) => [name, checkSection(name, { ...resolved, data: kept[name] }, findings)]),
  );
}

function checkSection(name: SectionName, resolved: Resolved, findings: Findings): unknown {
  const box = { [name]: resolved.data };
  for (;;) {
    const result = sections[name].safeParse(box[name]);
    if (result.success) return result.data;
    const issues = result.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }));
    const left = issues.filter((issue) => !convert(box, issue, resolved));
    for (const issue of left) report(issue, box, resolved, findings);
    if (left.length > 0) return undefined;
  }
}

/** An empty setting counts as absent, except among credentials. */
function withoutNothing(section: unknown, name: string): unknown {
  if (section === null) return undefined;
  if (!isMapping(section) || name === "authentication") return section;
  return Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));
}

/** Environment variables are text, so numbers and booleans are parsed from it. */
function convert(data: unknown, issue: Issue, { referred }: Resolved): boolean {
  const value = valueAt(data, issue.path);
  if (issue.code !== "invalid_type" || typeof value !== "string" || !isAmong(referred, issue.path))
    return false;
  const parsed = parsedAs(issue.expected, value);
  const parent = valueAt(data, issue.path.slice(0, -1)) as { [name: PropertyKey]: unknown };
  if (parsed !== undefined) parent[issue.path.at(-1) ?? ""] = parsed;
  return parsed !== undefined;
}

function parsedAs(expected: string, text: string): number | boolean | undefined {
  if (expected === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (expected !== "int" && expected !== "number") return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function report(issue: Issue, data: unknown, resolved: Resolved, findings: Findings): void {
  const path = issue.path as DataPath;
  const value = valueAt(data, issue.path);
  const shown = showPath(path) || "the configuration";
  const message =
    value === undefined
      ? `${shown} is missing: it must be ${issue.message}`
      : `${shown} must be ${issue.message}${foundText(value, path, resolved)}`;
  // The unset variable has its own finding already.
  const isTold = isAmong(resolved.unset, issue.path);
  findings.error("config-bad-value", path, {
    message: isTold ? `${shown} is needed, and has no value` : message,
    ...(isTold ? {} : helpFor(issue, value)),
    effect: "stop",
  });
}

function helpFor(issue: Issue, value: unknown): ReturnType<typeof nearOr> {
  if (issue.code === "invalid_value" && typeof value === "string")
    return nearOr(value, issue.values.map(String), null);
  const quoted = issue.code === "invalid_type" && issue.expected === "string" && typeof value === "number";
  return { help: quoted ? "put the value in quotes: it is text, not a number" : null };
}

/** The value is not quoted where it may be secret. */
function foundText(value: unknown, path: DataPath, { referred }: Resolved): string {
  if (value === null) return ", not nothing";
  if (Array.isArray(value)) return ", not a list";
  if (typeof value === "object") return ", not a mapping";
  const secret = path.some((step) => typeof step === "string" && isSecretName(step));
  if (secret || holdsLogin(value) || isAmong(referred, path)) return `, not ${kindOf(value)}`;
  return `, not ${JSON.stringify(value)?.slice(0, 80)}`;
}

const kindOf = (value: unknown): string =>
  typeof value === "string" ? "this text" : typeof value === "number" ? "a number" : "true or false";

/** Settings that must agree with each other; the schema sees one value at a time. */
export function checkSections({ llm, logging, schedules, mcp }: CheckedSections, findings: Findings): void {
  if (mcp !== undefined) checkServers(mcp, findings);
  if (llm !== undefined) checkProviders(llm, findings);
  if (schedules !== undefined) checkSchedules(schedules, findings);
  for (const name of Object.keys(logging?.loggers ?? {})) {
    if (LOGGERS.some((logger) => logger === name)) continue;
    findings.warn("config-unknown-key", ["logging", "loggers", name], {
      message: `there is no logger ${JSON.stringify(name)}`,
      ...nearOr(name, LOGGERS, `loggers are ${LOGGERS.join(", ")}`),
      spot: "key",
    });
  }
}

function checkServers(
  { servers, state_key: key }: NonNullable<CheckedSections["mcp"]>,
  findings: Findings,
): void {
  if (key !== undefined && Buffer.byteLength(key.reveal()) < 32)
    findings.error("config-bad-value", ["mcp", "state_key"], {
      message: "mcp.state_key must have 32 characters or more",
      effect: "stop",
    });
  for (const [name, { command, url }] of Object.entries(servers)) {
    if ((command === undefined) !== (url === undefined)) continue;
    findings.error("config-bad-value", ["mcp", "servers", name], {
      message: `${showPath(["mcp", "servers", name])} needs either a command or a url`,
      effect: "dead",
    });
  }
}

function checkSchedules(schedules: NonNullable<CheckedSections["schedules"]>, findings: Findings): void {
  const wrong = (name: string, key: "cron" | "timezone", expected: string, value: string): void => {
    const path = ["schedules", name, key];
    const message = `${showPath(path)} must be ${expected}, not ${JSON.stringify(value.slice(0, 80))}`;
    findings.error("config-bad-value", path, { message, effect: "stop" });
  };
  for (const [name, { cron, timezone }] of Object.entries(schedules)) {
    const fault = cronFault(cron);
    if (fault !== null) wrong(name, "cron", fault, cron);
    if (timezone === undefined || isTimezone(timezone)) continue;
    wrong(name, "timezone", "the name of a time zone, such as Europe/Berlin", timezone);
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function checkProviders(
  { default_provider: chosen, providers }: NonNullable<CheckedSections["llm"]>,
  findings: Findings,
): void {
  const names = Object.keys(providers);
  const known = [...names, ...KINDS.filter((kind) => kind !== "openai-compatible")];
  if (chosen !== null && !known.includes(chosen)) {
    findings.error("config-bad-value", ["llm", "default_provider"], {
      message: `llm.default_provider names a provider that is not there: ${JSON.stringify(chosen.slice(0, 80))}`,
      ...nearOr(chosen, known, `providers are ${known.join(", ")}`),
      effect: "stop",
    });
  }
  for (const name of names) {
    if (providers[name]?.kind !== "openai-compatible" || providers[name].base_url !== undefined) continue;
    findings.error("config-bad-value", ["llm", "providers", name], {
      message: `llm.providers.${name} is openai-compatible and has no base_url`,
      help: "write where it is, such as base_url: http://localhost:11434/v1",
      effect: "stop",
    });
  }
}
