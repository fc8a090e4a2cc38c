import { dirname } from "node:path";
import pino from "pino";
import { visible } from "../../compiler/diagnostics/visible.js";
import { makeFolder } from "../../compiler/files/make-folder.js";
import type { Logger } from "../graph/contract/contract.js";
import { oncePerKey } from "../lazy.js";

interface LoggerSettings {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  readonly handlers: readonly ("console" | "file")[];
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

const STANDARD: LoggerSettings = { level: "info", handlers: ["console"] };

/** Makes the loggers of a service: lines of JSON to the file, lines for people to the console. */
export function createLoggers({ file, loggers, console, redact }: LoggersOptions) {
  const logFile = file === null ? null : createLogFile(file, console);
  const writers = {
    file: (line: string) => logFile?.write(redact(line)),
    console: (line: string) => console(redact(plainLine(line))),
  };
  return {
    of: oncePerKey((name: string): Logger => {
      const { level, handlers } = settingsOf(loggers, name);
      const streams = handlers.map((handler) => ({
        level: "debug" as const,
        stream: { write: writers[handler] },
      }));
      const logger = pino({ name, level, base: { name } }, pino.multistream(streams));
      return {
        debug: writer(logger, "debug"),
        info: writer(logger, "info"),
        warn: writer(logger, "warn"),
        error: writer(logger, "error"),
      };
    }),
    /** Whether the log file, if there is one, is open. */
    isWriting: () => logFile === null || logFile.isOpen(),
    /** Opens the log file again: whoever rotates logs has given it another name. */
    reopen: () => logFile?.reopen(),
    /** Lines that come afterwards are written to the console alone. */
    close: () => logFile?.close(),
  };
}

/** The settings of a logger, or of the nearest one above it. */
function settingsOf(loggers: LoggersOptions["loggers"], name: string): LoggerSettings {
  for (let at = name; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const found = Object.hasOwn(loggers, at) ? loggers[at] : undefined;
    if (found !== undefined) return found;
  }
  return STANDARD;
}

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

/** So many bytes wait for a disk that is full; what comes then is lost. */
const UNWRITTEN = 1_000_000;

/**
 * Opens a file that lines are added to. One that cannot be written is told once, as a line for people, and stops nobody.
 */
function createLogFile(path: string, tell: (line: string) => void) {
  let destination = open(path, tell);
  return {
    /** Lines that come after the file was closed go nowhere: a run may end later than its server. */
    write: (line: string) => void destination?.write(line),
    isOpen: () => destination !== null,
    /** Opens the path again: another program has given the file another name. */
    reopen: () => {
      const next = open(path, tell);
      // The old file takes the lines until there is a new one.
      if (next === null) return;
      destination?.destroy();
      destination = next;
    },
    /** Every line is written at once. What a full disk has not taken is not waited for: flushing would never end. */
    close: () => {
      destination?.destroy();
      destination = null;
    },
  };
}

function open(path: string, tell: (line: string) => void): ReturnType<typeof pino.destination> | null {
  let told = false;
  const fail = (error: unknown): void => {
    if (told) return;
    told = true;
    tell(`warn  the log file cannot be written: ${error instanceof Error ? error.message : "unknown"}\n`);
  };
  try {
    makeFolder(dirname(path));
    const destination = pino.destination({
      dest: path,
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
