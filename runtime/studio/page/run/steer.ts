import { computed, effect } from "@preact/signals";
import { hear } from "../connection/hear.js";
import { wordsOf } from "../connection/requests.js";
import { chosenRow, graph, opened, place } from "../state.js";
import { goAgain } from "./again.js";
import type { Answer } from "./answer-form.js";
import { beginRun } from "./begin-run.js";
import { followRun } from "./follow-run.js";
import { changeRun, questionsOf, type RunRecord } from "./records.js";
import { chosenStep, lastRun, markOf, type Question, type Run, run } from "./run-state.js";
import { sendAnswer } from "./send-answer.js";
import { workflowName } from "./workflow-name.js";

/** The run goes on by itself, however good the connection is, and for as long as it takes. */
export async function startRun(values: { readonly [field: string]: unknown }): Promise<void> {
  const [sheet, name] = [opened.value?.name ?? "", graph.value?.name ?? ""];
  const begun = await beginRun<{ readonly run_id: string }>("../execute", {
    ...{ graph_name: workflowName(), initial_state: values, options: { detach: true } },
  });
  if (begun === null) return;
  const nothing = { steps: [], questions: [], errors: [], durationMs: null };
  chosenStep.value = null;
  lastRun.value = { sheet, graph: name, id: begun.run_id, status: "running", ...nothing };
  await keepWith(begun.run_id);
}

export async function answerRun({ node }: Question, answer: Answer): Promise<void> {
  const { id = null, questions = [] } = lastRun.value ?? {};
  if (id === null) return;
  change({ status: "running", questions: [], errors: [] });
  chosenStep.value = null;
  const sent = await sendAnswer({ id, isFile: false }, node, answer);
  if (sent.kind === "taken" || sent.isOver) await keepWith(id);
  if (sent.kind === "refused")
    change(sent.isOver ? { errors: [sent.words] } : { status: "suspended", questions, errors: [sent.words] });
}

/** Whoever follows the run hears of its end; a run that waits is followed by nobody. */
export async function stopRun(): Promise<void> {
  const { id = null } = lastRun.value ?? {};
  if (id === null) return;
  try {
    await changeRun(id, "cancel");
    await keepWith(id);
  } catch (error) {
    change({ errors: wordsOf(error) });
  }
}

/** The last run goes on where it failed or was stopped. */
export async function retryRun(): Promise<void> {
  const { id = null } = lastRun.value ?? {};
  if (id === null) return;
  try {
    await goAgain(id);
    change({ status: "queued", errors: [] });
    await keepWith(id);
  } catch (error) {
    change({ errors: wordsOf(error) });
  }
}

/** Goes on with the last run when others have answered, stopped or retried it. */
export function keepUp(): void {
  hear(({ type, data }) => {
    const { id = null, status } = lastRun.value ?? {};
    const isStill = data["status"] === "waiting" && status === "suspended";
    const isNews = type === "run" && data["run_id"] === id && data["status"] !== status && !isStill;
    // What was missed may have been of this run.
    if (id !== null && (isNews || type === "resync")) void keepWith(id);
  });
}

const chosenNode = computed(() => chosenRow.value?.node ?? null);

/** Whoever chooses a row chooses its last step, too. A question stays in view, as somebody may be answering it. */
export function keepTogether(): void {
  effect(() => {
    const node = chosenNode.value;
    const { steps = [], questions = [] } = run.peek() ?? {};
    if (place.peek().screen !== "sheets" || questions.length > 0) return;
    if (steps.find(({ key }) => key === chosenStep.peek())?.node === node) return;
    const step = steps.findLast((one) => one.node === node);
    if (step !== undefined) chosenStep.value = step.key;
  });
}

/** The run that is followed at present. */
let followed: string | null = null;

/** Shows how the last run goes on, until it has ended or waits. */
async function keepWith(id: string): Promise<void> {
  if (followed === id) return;
  followed = id;
  const gone = new AbortController();
  const { sheet = "" } = lastRun.value ?? {};
  const show = (run: Run, record: RunRecord): void => {
    if (lastRun.value?.id !== id) {
      gone.abort();
      return;
    }
    lastRun.value = { ...run, sheet, questions: questionsOf(record) };
    if (run.status !== "running" && run.status !== "queued")
      chosenStep.value ??=
        (run.steps.findLast((step) => markOf(step) !== "done") ?? run.steps.at(-1))?.key ?? null;
  };
  try {
    await followRun(id, { show, signal: gone.signal });
  } catch (error) {
    if (lastRun.value?.id === id) change({ status: "failed", errors: wordsOf(error) });
  }
  if (followed === id) followed = null;
}

const change = (some: Partial<Run>): void => {
  if (lastRun.value !== null) lastRun.value = { ...lastRun.value, ...some };
};
