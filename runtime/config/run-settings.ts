import { isMapping } from "../graph/values/values.js";
import { readDuration } from "./duration.js";
import type { DataPath } from "./findings.js";
import { type StoreSetting, storeFault, storeOf } from "./store-setting.js";

/** What is kept of runs, and how they are worked on. */
export interface RunsSettings {
  readonly store: StoreSetting;
  /** Connections of one process to a database server, at most. */
  readonly connections: number;
  /** `waiting`: only runs that wait for an answer are kept. */
  readonly keep: "all" | "waiting";
  readonly record: "full" | "results";
  readonly durability: "process" | "power";
  readonly concurrency: number;
  readonly limits: { readonly [graph: string]: number };
  /** Milliseconds; null: for ever. */
  readonly retentionMs: number | null;
  readonly recoveries: number;
  readonly deadAfterMs: number;
  readonly erase: "never" | "ended";
  readonly onDisconnect: "cancel" | "continue";
  /** `own`: others' runs are hidden from callers of the server. */
  readonly visibility: "all" | "own";
  /** Milliseconds after the start; null for none. */
  readonly deadlineMs: number | null;
  /** What reminds people of open questions. */
  readonly remindWith: RemindWith | null;
}

/** An agent, with what the cells of its row would say. */
export interface RemindWith {
  readonly agent: string;
  readonly prompt: string | null;
  readonly settings: { readonly [name: string]: unknown };
}

export const RUN_WORDS = {
  keep: ["all", "waiting"],
  record: ["full", "results"],
  durability: ["process", "power"],
  erase: ["never", "ended"],
  on_disconnect: ["cancel", "continue"],
  visibility: ["all", "own"],
} as const;

export const RUN_NUMBERS = {
  connections: { otherwise: 10, least: 2 },
  concurrency: { otherwise: 10, least: 1 },
  recoveries: { otherwise: 5, least: 0 },
  dead_after_ms: { otherwise: 30_000, least: 2_000 },
} as const;

export const REMIND_WITH = "an agent's name, or a mapping with agent, prompt and the settings of the agent";

export const DURATION = "a time such as 30d, 2h or 90s";

type Words = typeof RUN_WORDS;
type Fault = (path: DataPath, message: string) => Error;

/** Reads the section without the schema, which takes longer to load than most runs. */
export function readRunsSettings(section: unknown, fault: Fault): RunsSettings {
  const settings = isMapping(section) ? section : {};
  const refuse = (key: string, expected: string): Error =>
    fault(["runs", key], `runs.${key} must be ${expected}`);
  const word = <K extends keyof Words>(key: K): Words[K][number] => {
    const words: readonly string[] = RUN_WORDS[key];
    const value = settings[key] ?? words[0];
    if (typeof value === "string" && words.includes(value)) return value as Words[K][number];
    throw refuse(key, `one of ${words.join(", ")}`);
  };
  const whole = (key: keyof typeof RUN_NUMBERS): number => {
    const { otherwise, least } = RUN_NUMBERS[key];
    return wholeNumber(settings[key] ?? otherwise, least, () =>
      refuse(key, `a whole number, ${least}, or more`),
    );
  };
  const duration = (key: string): number | null => {
    const value = settings[key] ?? null;
    const ms = typeof value === "string" ? readDuration(value) : null;
    if (value === null || ms !== null) return ms;
    throw refuse(key, DURATION);
  };
  return {
    store: readStore(settings["store"] ?? "sqlite", refuse),
    connections: whole("connections"),
    keep: word("keep"),
    record: word("record"),
    durability: word("durability"),
    concurrency: whole("concurrency"),
    limits: readLimits(settings["limits"] ?? {}, fault),
    retentionMs: settings["retention"] === undefined ? readDuration("30d") : duration("retention"),
    recoveries: whole("recoveries"),
    deadAfterMs: whole("dead_after_ms"),
    erase: word("erase"),
    onDisconnect: word("on_disconnect"),
    visibility: word("visibility"),
    deadlineMs: duration("deadline"),
    remindWith: readRemindWith(settings["remind_with"] ?? null, () => refuse("remind_with", REMIND_WITH)),
  };
}

function readRemindWith(value: unknown, refuse: () => Error): RemindWith | null {
  if (value === null) return null;
  if (!isRemindWith(value)) throw refuse();
  const { agent, prompt = null, ...settings } = typeof value === "string" ? { agent: value } : value;
  return { agent, prompt, settings };
}

interface Reminding {
  readonly agent: string;
  readonly prompt?: string;
}

/** A text is the agent. */
export function isRemindWith(value: unknown): value is string | Reminding {
  if (!isMapping(value)) return isText(value);
  return isText(value["agent"]) && (value["prompt"] === undefined || isText(value["prompt"]));
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function readStore(store: unknown, refuse: (key: string, expected: string) => Error): StoreSetting {
  const fault = storeFault(store);
  if (fault !== null) throw refuse("store", fault);
  return storeOf(store as string);
}

function readLimits(section: unknown, fault: Fault): RunsSettings["limits"] {
  if (!isMapping(section)) throw fault(["runs", "limits"], "runs.limits must be a mapping of names");
  const entries = Object.entries(section).map(([graph, value]) => {
    const refuse = (): Error =>
      fault(["runs", "limits", graph], `runs.limits.${graph} must be a whole number, 1, or more`);
    return [graph, wholeNumber(value, 1, refuse)] as const;
  });
  return Object.fromEntries(entries);
}

/** Variables of the environment are text. */
function wholeNumber(value: unknown, least: number, refuse: () => Error): number {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= least) return number;
  throw refuse();
}
