import type { Context, GlobalOptions } from "../process/context.js";

export type Item = readonly [term: string, meaning: string];

/** The options of a command as they were given, by name: `dryRun` for `--dry-run`. */
export interface Given {
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
  /** What was given, as help shows it: `--dry-run`. */
  readonly flags: readonly string[];
}

/** One option of a command, as help shows it: `--csv <path>`, its meaning, and what else its value may be. */
export type OptionSpec = readonly [flags: string, meaning: string, takes?: "repeatable" | readonly string[]];

/** One command of the command line. */
export interface Verb {
  readonly name: string;
  /** The operands as help shows them: `[sheets...]`. */
  readonly operand: Item | null;
  /** In the list of commands. */
  readonly brief: string;
  /** In the command's own help. */
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Item[];
  /** Returns the exit code. The command's code is loaded when it is called. */
  readonly run: (context: Context, operands: readonly string[], given: Given) => Promise<number>;
}

export interface Call {
  readonly globals: GlobalOptions;
  /** Returns the exit code, and throws for wrong usage. */
  readonly run: (context: Context) => Promise<number>;
}
