import { eventsIn, type StreamedEvent } from "../connection/event-stream.js";
import { server } from "../connection/present.js";
import { Refusal } from "../connection/requests.js";
import { saveNow } from "../editing/sheet-editing.js";
import { graph, opened } from "../state.js";
import { chosenStep, lastRun, type Question, type Run, type Step } from "./run-state.js";

/** The workflow's name, with its sheet's: others may have a graph of that name. */
export const workflowName = (): string => `${opened.value?.group ?? ""}::${graph.value?.name ?? ""}`;

export async function startRun(values: { readonly [field: string]: unknown }): Promise<void> {
  const [sheet, name] = [opened.value?.name ?? "", graph.value?.name ?? ""];
  const nothing = { steps: [], questions: [], errors: [], durationMs: null };
  lastRun.value = { sheet, graph: name, id: null, status: "running", ...nothing };
  chosenStep.value = null;
  if (!(await saveNow())) return change({ status: "refused", errors: ["the sheet is not saved yet"] });
  const options = { trace: true };
  await followRun("../execute", { graph_name: workflowName(), initial_state: values, options });
}

export async function answerRun({ node }: Question, answer: string): Promise<void> {
  const id = lastRun.value?.id ?? null;
  if (id === null) return;
  change({ status: "running", questions: [], errors: [] });
  await followRun(`../runs/${id}/resume`, { answers: { [node]: answer } });
  await completeSteps(id);
}

/** Fetches what steps read and wrote where the events did not tell: those after an answer. */
async function completeSteps(id: string): Promise<void> {
  const response = await server()
    .ask(`../runs/${id}?include=steps`)
    .catch(() => null);
  if (response === null || lastRun.value?.id !== id) return;
  const { visits = [] } = (await response.json()) as { readonly visits?: readonly KeptVisit[] };
  const kept = new Map(visits.map((visit) => [keyOf(visit), visit]));
  const steps = lastRun.value.steps.map((step): Step => {
    const { inputs, prompt, writes } = kept.get(step.key) ?? step;
    return { ...step, inputs, prompt, writes };
  });
  change({ steps });
}

const keyOf = ({ node, visit, branch }: Pick<ToldStep, "node" | "visit" | "branch">): string =>
  `${node} ${visit} ${branch.join(".")}`;

type KeptVisit = Pick<ToldStep, "node" | "visit" | "branch" | "inputs" | "prompt" | "writes">;

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

async function followRun(path: string, body: object): Promise<void> {
  try {
    const response = await server().ask(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body),
    });
    for await (const event of eventsIn(response)) take(event);
    if (lastRun.value?.status === "running")
      change({ status: "failed", errors: ["the connection broke off; the run may go on"] });
  } catch (error) {
    change({ status: lastRun.value?.id == null ? "refused" : "suspended", errors: wordsOf(error) });
  }
}

const wordsOf = (error: unknown): readonly string[] => {
  if (error instanceof Refusal) return error.details.length > 0 ? error.details : [error.message];
  return ["the server did not answer"];
};

const change = (some: Partial<Run>): void => {
  if (lastRun.value !== null) lastRun.value = { ...lastRun.value, ...some };
};

function take({ type, data }: StreamedEvent): void {
  const id = data["run_id"];
  if (typeof id === "string") change({ id });
  if (type === "node_start" || type === "node_end") takeStep(data);
  if (type === "run_end") takeEnd(data["result"] as EndedRun);
}

function takeStep(data: StreamedEvent["data"]): void {
  const told = data as unknown as ToldStep;
  const key = keyOf(told);
  const steps = lastRun.value?.steps ?? [];
  const known = steps.find((step) => step.key === key);
  const { node, ms = null, outcome = null, error = null, inputs, prompt, writes } = told;
  const step: Step = {
    ...{ key, node, ms, outcome, inputs, prompt, writes },
    atMs: known?.atMs ?? told.at_ms ?? 0,
    error: typeof error === "string" || error === null ? error : error.message,
  };
  change({
    steps: known === undefined ? [...steps, step] : steps.map((one) => (one === known ? step : one)),
  });
}

function takeEnd({ status: told, waiting, error, duration_ms }: EndedRun): void {
  // It came to a question before it was stopped, and that is told late.
  const status = told === "suspended" && stopped === lastRun.value?.id ? "cancelled" : told;
  const errors = error === null ? [] : [error.message];
  change({ status, errors, durationMs: duration_ms, questions: status === "suspended" ? waiting : [] });
  chosenStep.value ??= lastRun.value?.steps.at(-1)?.key ?? null;
}

interface ToldStep {
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
  readonly at_ms?: number;
  readonly ms?: number;
  readonly outcome?: string | null;
  readonly error?: string | { readonly message: string } | null;
  readonly inputs?: unknown;
  readonly prompt?: unknown;
  readonly writes?: unknown;
}

interface EndedRun {
  readonly status: "completed" | "failed" | "suspended" | "cancelled";
  readonly duration_ms: number;
  readonly error: { readonly message: string } | null;
  readonly waiting: readonly Question[];
}
