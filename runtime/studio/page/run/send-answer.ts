import { server } from "../connection/present.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import type { Answer } from "./answer-form.js";

export interface AskedRun {
  readonly id: string;
  /** It is in a file of before, which goes on only with a request that stays. */
  readonly isFile: boolean;
}

export type Sent =
  | { readonly kind: "taken" }
  /** `isOver`: nobody can answer any more. */
  | { readonly kind: "refused"; readonly words: string; readonly isOver: boolean };

/** The answer is stored when this resolves, or it is said why not. */
export async function sendAnswer({ id, isFile }: AskedRun, node: string, answer: Answer): Promise<Sent> {
  const options = isFile ? {} : { options: { detach: true } };
  try {
    await server().ask(`../runs/${encodeURIComponent(id)}/resume`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ answers: { [node]: answer }, ...options }),
    });
    return { kind: "taken" };
  } catch (error) {
    return { kind: "refused", ...refusalOf(error) };
  }
}

const OVER: { readonly [code: string]: string } = {
  already_answered: "Answered by somebody else just now.",
  run_taken: "Answered by somebody else just now.",
  already_ended: "Too late: somebody else has answered, or the time to answer is over.",
  run_not_found: "This question is not there any more.",
};

function refusalOf(error: unknown): { readonly words: string; readonly isOver: boolean } {
  const said = wordsOf(error).map(sentence).join(" ");
  if (!(error instanceof Refusal))
    return { words: `${said} It is not known whether it has your answer: look again.`, isOver: false };
  const over = OVER[error.code];
  if (over !== undefined) return { words: over, isOver: true };
  const more: { readonly [code: string]: string } = {
    run_stale: "The sheet has changed so that this run cannot go on. Whoever keeps the sheet can help.",
    run_stuck: "An operator can help: the run is stuck.",
    store_unwritable: "Your answer is not stored. Try again soon.",
  };
  return { words: [said, more[error.code]].filter(Boolean).join(" "), isOver: false };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`);
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
