import { Refusal } from "../connection/requests.js";
import { counted } from "../counted.js";
import { type RunRecord, readRun } from "../run/records.js";
import type { AskedRun } from "../run/send-answer.js";
import { WORDS } from "../run/status-word.js";

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
  return `${begun} The run goes on.`;
}

function endOf({ status, graph_name: graph, path = [], error, waiting }: RunRecord, node: string): string {
  if (status === "waiting")
    return waiting.length === 0 ? "The run waits." : `${graph} asks another question now.`;
  const more = path.length - 1 - path.lastIndexOf(node);
  const steps = more > 0 && path.includes(node) ? ` · ${counted(more, "more step")}` : "";
  if (status === "failed")
    return `${graph} has failed then: ${error?.message || "whoever looks after the runs sees why"}`;
  return `${graph}: ${WORDS[status].toLowerCase()}${steps}`;
}
