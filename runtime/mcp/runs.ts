import type { Followed } from "../durable/following.js";
import { resultOf } from "../durable/kept-result.js";
import type { WaitRow } from "../durable/rows.js";
import { StoreError } from "../durable/store-error.js";
import type { Answers, RunEvent } from "../graph/contract/contract.js";
import { HttpProblem } from "../http/request/problem.js";
import { checkWaiting, startProblem } from "../http/routes/execute.js";
import { noteAnswer, resumeProblem } from "../http/routes/resume-run.js";
import { findServed } from "../http/routes/served-runs.js";
import { answererOf, starterOf, type View, viewOfFile } from "../http/run-access.js";
import { readRequest, readSettings, type Wish } from "../runs/request.js";
import type { WorkflowResult } from "../runs/result.js";
import type { WorkflowEvent } from "../runs/stream.js";
import type { Workflow } from "../workflows/catalogue.js";
import type { McpCaller } from "./caller.js";

/** How a run goes on, as the caller may see it. */
export type Told =
  | {
      readonly kind: "result";
      readonly result: WorkflowResult;
      readonly view: View;
      /** Of a run that waits, as far as they are known. */
      readonly waits: readonly WaitRow[];
      readonly starter: string | null;
    }
  /** Others work on it, or it takes longer than the request may. */
  | { readonly kind: "accepted"; readonly runId: string; readonly status: string };

/** Who watches a run: the events go to them, and the run ends with them. */
export interface Watcher {
  readonly signal: AbortSignal;
  readonly on: (event: RunEvent | WorkflowEvent) => void;
}

/** A request waits a little longer than its run may be at work, so that it can say how it ended. */
const LATER_MS = 5_000;

/** Begins a run of a workflow, and stays until it ends, waits, or takes too long. */
export async function beginRun(
  caller: McpCaller,
  workflow: Workflow,
  given: { readonly [name: string]: unknown },
  watcher: Watcher,
): Promise<Told> {
  await caller.takeSlot();
  const { service } = caller;
  const { runner, works } = service;
  await checkWaiting(service);
  const wish = wishOf(caller, workflow, given, watcher);
  try {
    const opened = runner.graphs.known(wish) ?? (await runner.graphs.open(wish));
    if (!runner.keepsAll) return await toldOf(caller, await runner.run(opened, wish));
    const words = { key: null, ...starterOf(caller) };
    const begun = works ? await runner.begin(opened, wish, words) : await runner.start(opened, wish, words);
    const { runId } = begun.run;
    return await followed(caller, runId, begun.follow({ ...watcherOf(caller, watcher), works }), "whole");
  } catch (error) {
    throw startProblem(error, workflow, "arguments");
  }
}

function wishOf(
  caller: McpCaller,
  { source, graphName }: Workflow,
  initialState: { readonly [name: string]: unknown },
  watcher: Watcher,
): Wish {
  const { patienceMs } = caller;
  const asked = readRequest({
    ...{ csvPath: source, graphName, initialState, ...watcherOf(caller, watcher) },
    ...(patienceMs === null ? {} : { timeoutMs: patienceMs }),
  });
  const { userId, startedBy } = starterOf(caller);
  const starter = { userId: userId ?? undefined, startedBy: startedBy ?? undefined };
  return { ...asked, settings: { ...asked.settings, ...starter } };
}

const watcherOf = ({ endsWithClient }: McpCaller, { signal, on }: Watcher) => ({
  on,
  ...(endsWithClient ? { signal } : {}),
});

/** Goes on with a run that waits. What has been answered stays answered, whoever waits for the rest. */
export async function goOn(
  caller: McpCaller,
  runId: string,
  answers: Answers,
  { signal, on }: Watcher,
): Promise<Told> {
  await caller.takeSlot();
  const found = await findServed(servedAs(caller, runId), { does: "execute", answers: true });
  if (found.kind === "file") return goOnInFile(caller, runId, answers, { signal, on });
  const { executor, view } = found;
  await executor.answer(runId, answers, answererOf(caller)).catch((error: unknown) => {
    throw resumeProblem(error, runId);
  });
  noteAnswer(caller, runId, answers);
  return followed(caller, runId, executor.follow(runId, { on, works: caller.service.works }), view);
}

async function goOnInFile(
  caller: McpCaller,
  runId: string,
  answers: Answers,
  { signal, on }: Watcher,
): Promise<Told> {
  const { user, roles, isAdmin } = answererOf(caller);
  const settings = { ...readSettings({ signal, on }), userId: user ?? undefined, roles, isAdmin };
  const result = await caller.service.runner.resume(runId, answers, settings).catch((error: unknown) => {
    throw resumeProblem(error, runId);
  });
  return toldOf(caller, result, viewOfFile(caller));
}

/** A run as it is now, without an answer to it. */
export async function lookAt(caller: McpCaller, runId: string): Promise<Told> {
  const found = await findServed(servedAs(caller, runId), { does: "execute" });
  if (found.kind === "file") throw new HttpProblem("run_not_found");
  const { run, view } = found;
  return toldOf(caller, resultOf(run), view);
}

const servedAs = (caller: McpCaller, runId: string) => ({ ...caller, params: new Map([["run_id", runId]]) });

async function followed(
  caller: McpCaller,
  runId: string,
  following: Promise<Followed>,
  view: View,
): Promise<Told> {
  const { service, patienceMs } = caller;
  // Its agents are not here at present, or its store is away for a time. It goes on afterwards.
  const held = (error: unknown): null => {
    if (error instanceof StoreError && error.code === "run_held") return null;
    throw error;
  };
  const end = await (patienceMs === null
    ? following.catch(held)
    : atMost(patienceMs + LATER_MS, following.catch(held)));
  if (end?.kind === "result") {
    await end.told();
    if (!service.works) service.metrics.ran(end.result);
    return toldOf(caller, end.result, view);
  }
  const run = await (await service.runner.kept())?.executor.get(runId);
  return { kind: "accepted", runId, status: run?.status ?? "queued" };
}

function atMost<T>(ms: number, promised: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, null);
    timer.unref();
    promised.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** A result with what is known of its questions: who may answer them. */
async function toldOf(caller: McpCaller, result: WorkflowResult, view: View = "whole"): Promise<Told> {
  const kept = result.status === "suspended" ? await caller.service.runner.kept() : null;
  const run = (await kept?.executor.get(result.runId)) ?? null;
  const waits = run === null ? [] : ((await kept?.executor.waits(result.runId)) ?? []);
  return { kind: "result", result, view, waits, starter: run?.userId ?? null };
}
