import { ResponseError } from "vscode-languageserver/node";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Context } from "../process/context.js";

export type Teller = ReturnType<typeof createTeller>;

/** Tells what goes wrong beside the problems of sheets: on standard error, and in the editor what a person can mend. */
export function createTeller(context: Context, show: (message: string) => void) {
  const told = new Map<string, string>();
  return {
    /** Told once; null when the matter is in order again. */
    problem: (about: string, problem: string | null): void => {
      if (problem === null) {
        told.delete(about);
        return;
      }
      if (told.get(about) === problem) return;
      told.set(about, problem);
      context.note(problem);
      show(visible(problem));
    },
    /** A message that cannot be taken. */
    refused: (method: string, error: unknown): void => {
      if (error instanceof ResponseError) context.note(`${method} is passed over: ${error.message}`);
      else bug(context, method, error);
    },
    bug: (what: string, error: unknown): void => bug(context, what, error),
  };
}

/** The message of an error may hold text of a sheet, so only its kind and its places in our code are told. */
function bug(context: Context, what: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  context.fail(`${what} failed inside of flowsheet: ${kind}`, "please report it; the server goes on");
  for (const line of placesIn(error)) context.detail(line);
}

const placesIn = (error: unknown): readonly string[] =>
  error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
