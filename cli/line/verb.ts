import type { Context } from "../process/context.js";
import type { Item } from "./help.js";

/** Options as they were given, by name. */
export interface Given {
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
}

/** One option of a command. */
export interface OptionSpec {
  /** As help shows it: `--csv <path>`. */
  readonly flags: string;
  readonly meaning: string;
  /** It may be given more than once. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
}

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
