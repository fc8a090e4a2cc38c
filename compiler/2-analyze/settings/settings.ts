import { RETRY_DEFAULTS } from "../../definition.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Json, MergeKind, Retry, Row, SettingItem } from "../../ir.js";
import { timezoneNamed } from "../../types/run-values.js";
import {
  CATCH_UPS,
  MISSED,
  OVERLAPS,
  type ScheduleOptions,
  scheduleOptions,
} from "../../types/schedule-options.js";
import { type Webhook, webhookIn } from "../../types/webhook.js";
import type { AgentFacts, SettingShape } from "../../world.js";
import { cronFault } from "./cron.js";

/** Settings that every node has, whatever its agent. */
export const GENERAL: { readonly [name: string]: SettingShape } = {
  retry: { kind: "any" },
  timeout_ms: { kind: "number" },
  max_visits: { kind: "integer" },
  on_limit: { kind: "node" },
  merge: { kind: "object" },
  description: { kind: "string" },
  timezone: { kind: "string" },
  schedule: { kind: "string" },
  catch_up: { kind: "one-of", values: CATCH_UPS },
  missed: { kind: "one-of", values: MISSED },
  overlap: { kind: "one-of", values: OVERLAPS },
  webhook: { kind: "object" },
  mcp: { kind: "boolean" },
};
export const MERGES: readonly string[] = ["append", "last", "sum"] satisfies MergeKind[];

/** The settings of a row, told apart: those of every node, and the agent's own. */
export interface Settings {
  readonly retry: Retry | null;
  readonly timeoutMs: number | null;
  readonly maxVisits: number | null;
  readonly merge: { readonly [field: string]: MergeKind };
  readonly timezone: string | null;
  readonly schedule: string | null;
  readonly scheduleOptions: ScheduleOptions;
  readonly webhook: Webhook | null;
  /** False: assistants are not offered the graph as a tool. */
  readonly isTool: boolean;
  readonly own: { readonly [name: string]: Json };
}

/** Most rows have no settings, so they share one empty object. */
const NOTHING: { readonly [name: string]: never } = Object.freeze(Object.create(null));
const NO_OPTIONS: ScheduleOptions = Object.freeze({});
const NO_SETTINGS: Settings = {
  retry: null,
  timeoutMs: null,
  maxVisits: null,
  merge: NOTHING,
  timezone: null,
  schedule: null,
  scheduleOptions: NO_OPTIONS,
  webhook: null,
  isTool: true,
  own: NOTHING,
};

const isGeneral = (name: string): boolean => Object.hasOwn(GENERAL, name);

const OF_SCHEDULE: ReadonlySet<string> = new Set(["catch_up", "missed", "overlap"]);

/** Beside a schedule these say how it goes on. Elsewhere an agent of the project may have settings of these names. */
export const isWithoutSchedule = (row: Row, name: string): boolean =>
  OF_SCHEDULE.has(name) && !row.settings.some((other) => other.name === "schedule");

/** Undefined for a setting that the agent does not have. A name may be one that every object inherits. */
export function shapeOf(name: string, facts: AgentFacts | null): SettingShape | undefined {
  if (isGeneral(name)) return GENERAL[name];
  return facts !== null && Object.hasOwn(facts.settings, name) ? facts.settings[name] : undefined;
}

/** A setting whose name stands in the header: the place of that name is no row's. */
export const isOfColumn = ({ nameAt }: SettingItem): boolean => nameAt.row === -1;

/**
 * The row with the settings of its columns under the names they mean. Like all header names, `context.Max Visits`
 * matches ignoring case, white space, `_` and `-`. An unknown name stays as it is, but for an agent of the project
 * `_` stands for white space: `context.my limit` is `my_limit`.
 */
export function nameSettings(row: Row, facts: AgentFacts | null): Row {
  const known = (name: string): boolean => shapeOf(name, facts) !== undefined;
  if (row.settings.every((item) => !isOfColumn(item) || known(item.name))) return row;
  const names = [...Object.keys(GENERAL), ...Object.keys(facts?.settings ?? {})];
  // An agent of the project has its settings under names that can be typed in code.
  const own = (name: string): string => (facts === null ? name.replace(/\s+/gu, "_") : name);
  const byFolded = new Map(names.map((name) => [foldName(name), name]));
  const settings = new Map<string, SettingItem>();
  for (const item of row.settings) {
    const name = isOfColumn(item) ? (byFolded.get(foldName(item.name)) ?? own(item.name)) : item.name;
    settings.set(name, { ...item, name });
  }
  return { ...row, settings: [...settings.values()] };
}

/** Takes the settings as they stand; what is wrong with them is reported by `checkSettings`. */
export function readSettings(row: Row): Settings {
  if (row.settings.length === 0) return NO_SETTINGS;
  const own: { [name: string]: Json } = Object.create(null);
  const general = new Map<string, Json>();
  for (const item of row.settings) {
    if (isGeneral(item.name) && !isWithoutSchedule(row, item.name)) general.set(item.name, item.spot.value);
    else own[item.name] = item.spot.value;
  }
  // A human's `timeout_ms` is the wait for the answer, so its agent needs it too.
  return {
    retry: readRetry(general.get("retry")),
    timeoutMs: positive(general.get("timeout_ms")),
    maxVisits: positive(general.get("max_visits")),
    merge: readMerge(general.get("merge")),
    timezone: timezoneNamed(general.get("timezone")),
    schedule: cronIn(general.get("schedule")),
    scheduleOptions: general.has("schedule") ? scheduleOptions(Object.fromEntries(general)) : NO_OPTIONS,
    webhook: webhookIn(general.get("webhook")),
    isTool: general.get("mcp") !== false,
    own,
  };
}

export const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** Its fields with one blank between them; null for what is no cron expression. */
const cronIn = (value: Json | undefined): string | null =>
  typeof value === "string" && cronFault(value) === null ? value.trim().replace(/\s+/g, " ") : null;
const positive = (value: Json | undefined): number | null =>
  typeof value === "number" && value > 0 ? value : null;

function readRetry(value: Json | undefined): Retry | null {
  if (typeof value === "number") return { attempts: value, ...RETRY_DEFAULTS };
  if (!isRecord(value)) return null;
  const number = (key: string, otherwise: number): number => {
    const given = value[key];
    return typeof given === "number" ? given : otherwise;
  };
  return {
    attempts: number("attempts", 1),
    delayMs: number("delay_ms", RETRY_DEFAULTS.delayMs),
    factor: number("factor", RETRY_DEFAULTS.factor),
    maxDelayMs: number("max_delay_ms", RETRY_DEFAULTS.maxDelayMs),
  };
}

function readMerge(value: Json | undefined): { readonly [field: string]: MergeKind } {
  if (!isRecord(value)) return NOTHING;
  const merge: { [field: string]: MergeKind } = Object.create(null);
  for (const [field, kind] of Object.entries(value)) if (isMerge(kind)) merge[field] = kind;
  return merge;
}

export const isMerge = (value: Json): value is MergeKind =>
  typeof value === "string" && MERGES.includes(value);
