import { eventsIn, type StreamedEvent } from "../connection/event-stream.js";
import { hear } from "../connection/hear.js";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { saveNow } from "../editing/sheet-editing.js";
import { graph, opened } from "../state.js";
import type { Answer } from "./answer-form.js";
import { followRun } from "./follow-run.js";
import { questionsOf, readRun } from "./records.js";
import { chosenStep, lastRun, type Question, type Run } from "./run-state.js";
import { withEvent } from "./told.js";
import { workflowName } from "./workflow-name.js";

const TRACED = { trace: true };

export async function startRun(values: { readonly [field: string]: unknown }): Promise<void> {
  const [sheet, name] = [opened.value?.name ?? "", graph.value?.name ?? ""];
  const nothing = { steps: [], questions: [], errors: [], durationMs: null };
  lastRun.value = { sheet, graph: name, id: null, status: "running", ...nothing };
  chosenStep.value = null;
  if (!(await saveNow())) return change({ status: "refused", errors: ["the sheet is not saved yet"] });
  await stream("../execute", { graph_name: workflowName(), initial_state: values, options: TRACED });
}

export async function answerRun({ node }: Question, answer: Answer): Promise<void> {
  const { id = null, questions = [] } = lastRun.value ?? {};
  if (id === null) return;
  change({ status: "running", questions: [], errors: [] });
  await stream(`../runs/${id}/resume`, { answers: { [node]: answer }, options: TRACED }, questions);
}

/** The last run that was stopped here. */
let stopped: string | null = null;

/** The stream of a run at work ends by itself then; one that waits has none. */
export async function stopRun(): Promise<void> {
  const { id = null } = lastRun.value ?? {};
  if (id === null) return;
  try {
    await server().ask(`../runs/${id}/cancel`, { method: "POST" });
    stopped = id;
    if (lastRun.value?.status === "suspended") change({ status: "cancelled", questions: [] });
  } catch (error) {
    change({ errors: wordsOf(error) });
  }
}

/** The run tells of itself at present. */
let isHeard = false;

/** Goes on with the last run when others have answered, stopped or retried it. */
export function keepUp(): void {
  hear(({ type, data }) => {
    const { id = null, status } = lastRun.value ?? {};
    const isOther = type === "run" && id !== null && data["run_id"] === id && data["status"] !== status;
    const isStill = data["status"] === "waiting" && status === "suspended";
    if (isOther && !isStill && !isHeard) void rejoin(id);
  });
}

/** `questions` are asked again when the answer is refused. */
async function stream(path: string, body: object, questions: readonly Question[] = []): Promise<void> {
  const mine = lastRun.value;
  isHeard = true;
  try {
    const response = await server().ask(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body),
    });
    await hearOut(response);
  } catch (error) {
    const isBegun = mine?.id != null;
    change({ status: isBegun ? "suspended" : "refused", questions, errors: wordsOf(error) });
  }
  isHeard = false;
}

/** A stream that breaks is no end of the run: its record tells how it goes on. */
async function hearOut(response: Response): Promise<void> {
  try {
    for await (const event of eventsIn(response)) take(event);
  } catch {
    // Looked up below, as after a stream that has just ended.
  }
  const { id = null, status } = lastRun.value ?? {};
  if (status === "running" && id === null)
    change({ status: "refused", errors: ["The connection broke off before the run had begun."] });
  if (status === "running" && id !== null) await rejoin(id);
  if (lastRun.value?.status === "suspended" && id !== null) await completeQuestions(id);
}

async function rejoin(id: string): Promise<void> {
  const gone = new AbortController();
  isHeard = true;
  const { sheet = "" } = lastRun.value ?? {};
  const show = (run: Run): void => {
    if (lastRun.value?.id === id) lastRun.value = { ...run, sheet };
    else gone.abort();
  };
  try {
    await followRun(id, { show, signal: gone.signal });
  } catch (error) {
    if (lastRun.value?.id === id) change({ status: "failed", errors: wordsOf(error) });
  }
  isHeard = false;
}

/** What events do not tell of questions. */
async function completeQuestions(id: string): Promise<void> {
  const record = await readRun(id, "questions").catch(() => null);
  const isHere = lastRun.value?.id === id && lastRun.value.status === "suspended";
  if (record !== null && isHere) change({ questions: questionsOf(record) });
}

const change = (some: Partial<Run>): void => {
  if (lastRun.value !== null) lastRun.value = { ...lastRun.value, ...some };
};

function take(event: StreamedEvent): void {
  if (lastRun.value === null) return;
  const run = withEvent(lastRun.value, event);
  // It came to a question before it was stopped, and that is told late.
  const isStopped = run.status === "suspended" && stopped === run.id;
  lastRun.value = isStopped ? { ...run, status: "cancelled", questions: [] } : run;
  if (event.type === "run_end") chosenStep.value ??= run.steps.at(-1)?.key ?? null;
}
