import { server } from "../connection/present.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { counted } from "../counted.js";
import type { Answer } from "../run/answer-form.js";
import { type RunRecord, readRun } from "../run/records.js";
import { WORDS } from "../run/status-word.js";

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

const PAUSES_MS = [150, 300, 600, 1_000, 2_000, 3_000, 4_000];

/** What came of an answer, as far as it is known in some seconds. */
export async function outcomeOf({ id }: AskedRun, node: string, answer: string): Promise<string> {
  const begun = `Answered “${answer}”.`;
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const run = await readRun(id, "questions");
      if (run.status !== "queued" && run.status !== "running") return `${begun} ${endOf(run, node)}`;
    } catch (error) {
      // Runs that have ended may be forgotten, or be others' then.
      if (error instanceof Refusal && error.status === 404) return `${begun} The run goes on.`;
    }
  }
  return `${begun} ${"The run goes on."}`;
}

function endOf({ status, graph_name: graph, path = [], error, waiting }: RunRecord, node: string): string {
  if (status === "waiting")
    return waiting.length === 0 ? "The run waits." : `${graph} asks another question now.`;
  const more = path.length - 1 - path.lastIndexOf(node);
  const steps = more > 0 && path.includes(node) ? ` · ${counted(more, "more step")}` : "";
  if (status === "failed") return `${graph} has failed then: ${error?.message ?? "its record tells why"}`;
  return `${graph}: ${WORDS[status].toLowerCase()}${steps}`;
}
