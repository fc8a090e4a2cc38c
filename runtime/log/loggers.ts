import { dirname } from "node:path";
import pino from "pino";
import { visible } from "../../compiler/diagnostics/visible.js";
import { makeFolderSync } from "../../compiler/make-folder.js";
import type { Logger } from "../graph/contract.js";

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
  readonly close: () => void;
}

const STANDARD: LoggerSettings = { level: "info", handlers: ["console"] };

/** Makes the loggers of a service: lines of JSON to the file, lines for people to the console. */
export function createLoggers(options: LoggersOptions): Loggers {
  const { file, redact } = options;
  const destination = file === null ? null : openFile(file, (problem) => options.console(problem));
  const made = new Map<string, Logger>();
  const create = (name: string): Logger => {
    const { level, handlers } = settingsOf(options, name);
    const streams = handlers.flatMap((handler) => {
      if (handler === "file" && destination === null) return [];
      const write =
        handler === "file"
          ? (line: string) => destination?.write(redact(line))
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
    // Every line is written at once. What a full disk has not taken is not waited for: flushing would never end.
    close: () => destination?.destroy(),
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

/** So many bytes wait for a disk that is full; what comes then is lost. */
const UNWRITTEN = 1_000_000;

type Destination = ReturnType<typeof pino.destination>;

/** A log that cannot be written is told once, and stops nobody. */
function openFile(file: string, tell: (line: string) => void): Destination | null {
  let told = false;
  const fail = (error: unknown): void => {
    if (told) return;
    told = true;
    tell(`warn  the log file cannot be written: ${error instanceof Error ? error.message : "unknown"}\n`);
  };
  try {
    makeFolderSync(dirname(file));
    const destination = pino.destination({
      dest: file,
      sync: true,
      append: true,
      mode: 0o600,
      maxLength: UNWRITTEN,
    });
    destination.on("error", fail);
    return destination;
  } catch (error) {
    fail(error);
    return null;
  }
}

const fitted = (logger: pino.Logger): Logger => ({
  debug: writer(logger, "debug"),
  info: writer(logger, "info"),
  warn: writer(logger, "warn"),
  error: writer(logger, "error"),
});

/** Levels stay as they are: of a line that nobody will read not even the details are looked at. */
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
