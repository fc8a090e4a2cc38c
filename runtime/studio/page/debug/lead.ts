import { chooseNode } from "../choose.js";
import { eventsIn, type StreamedEvent } from "../connection/event-stream.js";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { beginRun } from "../run/begin-run.js";
import { chosenStep, lastRun, type Question, type Run } from "../run/run-state.js";
import { withEvent } from "../run/told.js";
import { workflowName } from "../run/workflow-name.js";
import { graph, opened } from "../state.js";
import { breaksHere, type Debugging, debugging, debuggingHere, type Stop, turnBreak } from "./debug-state.js";

const JSON_BODY = { "Content-Type": "application/json" };
/** A connection that breaks off is tried again so often. */
const TRIES = 5;
const PAUSE_MS = 500;

/** Begins a run that stops before its first node, or before the first break. */
export async function startDebug(values: { readonly [field: string]: unknown }): Promise<void> {
  if (debugging.value !== null) await tell({ do: "quit" });
  const [sheet, name] = [opened.value?.name ?? "", graph.value?.name ?? ""];
  const begun = await beginRun<{ readonly id: string }>("api/debug", {
    ...{ workflow: workflowName(), given: values, breaks: breaksHere() },
  });
  if (begun === null) return;
  const nothing = { steps: [], questions: [], errors: [], durationMs: null };
  lastRun.value = { sheet, graph: name, id: null, status: "running", ...nothing };
  chosenStep.value = null;
  debugging.value = { sheet, graph: name, id: begun.id, stop: null, asked: null, said: "" };
  await hearOut(begun.id);
}

/** Tells the server what to do. What it refuses is said. */
export async function tell(command: {
  readonly do: string;
  readonly [name: string]: unknown;
}): Promise<void> {
  const { id = null } = debugging.value ?? {};
  if (id === null) return;
  const isMove = command.do === "next" || command.do === "continue" || command.do === "answer";
  const before = debugging.value;
  change({ said: "", ...(isMove ? { stop: null, asked: null } : {}) });
  try {
    const body = JSON.stringify(command);
    await server().ask(`api/debug/${id}/commands`, { method: "POST", headers: JSON_BODY, body });
  } catch (error) {
    const { stop = null, asked = null } = before ?? {};
    if (debugging.value?.id === id) change({ stop, asked, said: wordsOf(error).join(" ") });
  }
}

/** A break is told to a run at once. */
export function changeBreak(node: string): void {
  const isThere = turnBreak(node);
  if (debuggingHere.value !== null) void tell({ do: isThere ? "break" : "clear", node });
}

async function hearOut(id: string): Promise<void> {
  let last = "0";
  for (let left = TRIES; left > 0 && debugging.value?.id === id; left--) {
    try {
      const response = await server().ask(`api/debug/${id}/events`, { headers: { "Last-Event-ID": last } });
      for await (const event of eventsIn(response)) {
        last = event.id ?? last;
        left = TRIES;
        if (debugging.value?.id === id) take(event);
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  if (debugging.value?.id !== id) return;
  debugging.value = null;
  changeRun({ status: "failed", errors: ["the connection broke off, and the run has ended"] });
}

function take(event: StreamedEvent): void {
  if (event.type === "stop") takeStop(event.data as unknown as Stop);
  else if (event.type === "ask") change({ stop: null, asked: event.data as unknown as Question });
  else if (event.type === "run_end") takeEnd(event.data["result"] as EndedRun | null);
  else if (lastRun.value !== null) lastRun.value = withEvent(lastRun.value, event);
}

interface EndedRun {
  readonly status: Run["status"];
  readonly error: { readonly message: string } | null;
  readonly duration_ms: number;
}

/** Without a result the run could not be led to an end. */
const BROKEN_OFF: EndedRun = { status: "failed", error: { message: "the run broke off" }, duration_ms: 0 };

function takeEnd(result: EndedRun | null): void {
  const { status, error, duration_ms: durationMs } = result ?? BROKEN_OFF;
  const paused = debugging.value?.stop?.node;
  // A node that the run has stopped before was never at work.
  const steps = (lastRun.value?.steps ?? []).filter((step) => step.outcome !== null || step.node !== paused);
  debugging.value = null;
  changeRun({ status, durationMs, steps, errors: error === null ? [] : [error.message] });
  chosenStep.value = lastRun.value?.steps.at(-1)?.key ?? null;
}

function takeStop(stop: Stop): void {
  change({ stop, asked: null });
  const record = graph.value?.nodes.find(({ name }) => name === stop.node)?.record;
  if (record !== undefined && debuggingHere.value !== null) chooseNode(record);
}

const change = (some: Partial<Debugging>): void => {
  if (debugging.value !== null) debugging.value = { ...debugging.value, ...some };
};

const changeRun = (some: Partial<Run>): void => {
  if (lastRun.value !== null) lastRun.value = { ...lastRun.value, ...some };
};
