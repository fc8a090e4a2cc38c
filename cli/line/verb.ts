import type { Context, GlobalOptions } from "../process/context.js";

export type Item = readonly [term: string, meaning: string];

/** The options of a command as they were given, by name: `dryRun` for `--dry-run`. */
export interface Given {
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
}

/** One option of a command, as help shows it: `--csv <path>`, its meaning, and what else its value may be. */
export type OptionSpec = readonly [flags: string, meaning: string, takes?: "repeatable" | readonly string[]];

/** One command of the command line: how it is called, and what it does. */
export interface Verb {
  readonly name: string;
  /** What stands after the name: `[sheets...]`. */
  readonly operand: Item | null;
  /** In the list of commands. */
  readonly brief: string;
  /** In the command's own help. */
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Item[];
  /** Does it; answers the exit code. Commands are loaded when they are called. */
  readonly run: (context: Context, operands: readonly string[], given: Given) => Promise<number>;
}

/** A command line that was read. */
export interface Call {
  readonly globals: GlobalOptions;
  /** Does what it asks for; gives the exit code. Wrong usage is thrown. */
  readonly run: (context: Context) => Promise<number>;
}
