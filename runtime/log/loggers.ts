import pino from "pino";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Logger } from "../graph/contract/contract.js";
import { createLogFile } from "./log-file.js";

export const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type Level = (typeof LEVELS)[number];
export type LogHandler = "console" | "file";

export interface LoggerSettings {
  readonly level: Level;
  readonly handlers: readonly LogHandler[];
}

export interface LoggersOptions {
  /** Absolute; null without a file. */
  readonly file: string | null;
  /** By name, such as `flowsheet.auth`; `flowsheet` is for those that are not named. */
  readonly loggers: { readonly [name: string]: LoggerSettings };
  /** Takes a line for people. */
  readonly console: (line: string) => void;
  /** Takes every secret out of a line. */
  readonly redact: (line: string) => string;
}

export interface Loggers {
  readonly of: (name: string) => Logger;
  /** Whether the log file, if there is one, is open. */
  readonly isWriting: () => boolean;
  /** Opens the log file again: whoever rotates logs has given it another name. */
  readonly reopen: () => void;
  /** Lines that come afterwards are written to the console alone. */
  readonly close: () => void;
}

const STANDARD: LoggerSettings = { level: "info", handlers: ["console"] };

/** Makes the loggers of a service: lines of JSON to the file, lines for people to the console. */
export function createLoggers(options: LoggersOptions): Loggers {
  const { file, redact } = options;
  const logFile = file === null ? null : createLogFile(file, (problem) => options.console(problem));
  const made = new Map<string, Logger>();
  const create = (name: string): Logger => {
    const { level, handlers } = settingsOf(options, name);
    const streams = handlers.flatMap((handler) => {
      if (handler === "file" && logFile === null) return [];
      const write =
        handler === "file"
          ? (line: string) => logFile?.write(redact(line))
          : (line: string) => options.console(redact(plainLine(line)));
      return [{ level: "debug" as const, stream: { write } }];
    });
    const logger = pino({ name, level, base: { name } }, pino.multistream(streams));
    return fitted(logger);
  };
  return {
    of: (name) => {
      const logger = made.get(name) ?? create(name);
      made.set(name, logger);
      return logger;
    },
    isWriting: () => logFile === null || logFile.isOpen(),
    reopen: () => logFile?.reopen(),
    close: () => logFile?.close(),
  };
}

/** The settings of a logger, or of the nearest one above it. */
function settingsOf({ loggers }: LoggersOptions, name: string): LoggerSettings {
  for (let at = name; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const found = Object.hasOwn(loggers, at) ? loggers[at] : undefined;
    if (found !== undefined) return found;
  }
  return STANDARD;
}

const fitted = (logger: pino.Logger): Logger => ({
  debug: writer(logger, "debug"),
  info: writer(logger, "info"),
  warn: writer(logger, "warn"),
  error: writer(logger, "error"),
});

/** Levels never change: a line below the level costs no more than a call. */
function writer(logger: pino.Logger, level: keyof Logger): Logger["info"] {
  if (!logger.isLevelEnabled(level)) return () => {};
  return (message, details) => logger[level](detailsOf(details), message);
}

function detailsOf(details: unknown): object {
  if (details === undefined) return {};
  if (details instanceof Error) return { err: details };
  if (typeof details !== "object" || details === null || Array.isArray(details)) return { details };
  const keys = Object.keys(details);
  if (!keys.some((key) => OWN.has(key))) return details;
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [OWN.has(key) ? `detail_${key}` : key, value]),
  );
}

/** What a line says of itself: no detail takes its place. */
const OWN: ReadonlySet<string> = new Set(["level", "time", "name", "msg"]);

interface Line {
  readonly level: number;
  readonly time: number;
  readonly name: string;
  readonly msg?: string;
  readonly [detail: string]: unknown;
}

const NAMES: { readonly [level: number]: string } = { 20: "debug", 30: "info ", 40: "warn ", 50: "error" };

/** A line of JSON as a line for people: whatever text is in it stays on the line. */
function plainLine(text: string): string {
  const { level, time, name, msg = "", ...details } = JSON.parse(text) as Line;
  const more = Object.entries(details).map(
    ([key, value]) =>
      ` ${key}=${typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return `${new Date(time).toISOString()} ${NAMES[level] ?? level} ${visible(`${name}: ${msg}${more.join("")}`)}\n`;
}
