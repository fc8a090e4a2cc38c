import { resolve } from "node:path";
import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { ProcessEvents } from "./events.js";

export interface Output {
  readonly write: (text: string) => void;
  /** Writes text that must not be lost; false when the reader has gone. */
  readonly offer?: (text: string) => boolean;
  readonly isTerminal: () => boolean;
  readonly columns: () => number | null;
}

export interface Input {
  readonly isTerminal: () => boolean;
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** Opens it for questions that a person answers line by line. */
  readonly openLines?: () => Promise<Lines>;
}

export interface Lines {
  /** Asks for a line; null when the input has ended, or the signal tells to stop. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | null>;
  readonly close: () => void;
}

export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Environment;
  /** The working folder; for a command, after `--cwd`. */
  readonly cwd: string;
  readonly events?: ProcessEvents;
}

export type Environment = { readonly [name: string]: string | undefined };

export interface GlobalOptions {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly config?: string;
  readonly cwd?: string;
  readonly encoding?: string;
}

/** Commands never touch the process, so that tests can run them inside of their own. */
export interface Context extends Surroundings {
  readonly events: ProcessEvents;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly config: string | null;
  readonly encoding: string | null;
  readonly color: (output: Output) => boolean;
  /** Writes to stderr, unless `--quiet` is given. */
  readonly note: (text: string) => void;
  /** Writes to stderr only with `--verbose`. */
  readonly detail: (text: string) => void;
  /** A note with another label than `note`. */
  readonly tell: (word: string, text: string) => void;
  /** Writes an error, and the help for it. */
  readonly fail: (message: string, help?: string | null) => void;
}

const never = (): (() => void) => () => {};
const quietLife: ProcessEvents = {
  onInterrupt: never,
  onTerminate: never,
  onHangup: never,
  onStray: never,
  onIdle: never,
  onQuit: never,
  keepChildrenOffStdout: async () => {},
  watchThread: async () => () => {},
};

export function createContext(around: Surroundings, options: GlobalOptions): Context {
  const { stderr, env, events = quietLife } = around;
  const quiet = options.quiet ?? false;
  const color = (output: Output): boolean => wantsColor(output, env, options.color);
  const paint = (): Paint => createPaint(color(stderr));
  const tell = (word: string, text: string): void => {
    if (!quiet) stderr.write(`${paint()("help", word)} ${visible(text)}\n`);
  };
  return {
    ...around,
    events,
    cwd: resolve(around.cwd, options.cwd ?? "."),
    quiet,
    verbose: options.verbose ?? false,
    config: options.config ?? null,
    encoding: options.encoding ?? null,
    color,
    note: (text) => tell("note:", text),
    detail: (text) => {
      if (options.verbose === true) tell("note:", text);
    },
    tell,
    fail: (message, help = null) => stderr.write(failureText(message, help, paint())),
  };
}

/** The option decides, then `NO_COLOR` and `FORCE_COLOR`, then whether it is a terminal. */
function wantsColor(output: Output, env: Environment, option: boolean | undefined): boolean {
  if (option !== undefined) return option;
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced) return forced !== "0" && forced !== "false";
  return env["TERM"] !== "dumb" && output.isTerminal();
}

/** Every command shows errors in this form. */
export function failureText(message: string, help: string | null, paint: Paint): string {
  const head = `${paint("error", "error:")} ${visible(message)}\n`;
  return help === null ? head : `${head}  ${paint("help", "= help:")} ${visible(help)}\n`;
}
