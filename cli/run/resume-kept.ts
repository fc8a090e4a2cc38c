import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { Followed, Follower } from "../../runtime/durable/following.js";
import { resultOf } from "../../runtime/durable/kept-result.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import { readAnswerTo } from "../../runtime/runs/answers.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { noteNobody } from "../runs/change.js";
import { findIdIfAny, withRuns } from "../runs/open.js";
import { type Asker, createAsker } from "./ask.js";
import { type Cancellation, createCancellation } from "./cancellation.js";
import { guardRun } from "./guard.js";
import { exitCode, tellResult } from "./outcome.js";
import { ownQuestions, questionsIn, withPeople } from "./own-questions.js";
import { systemAnswerer } from "./system-user.js";
import { type Watched, watchRun } from "./watch.js";

/** Goes on with a run of the store. Null when it is not there. */
export async function resumeKept(
  context: Context,
  project: Project,
  word: string,
  given: Given,
): Promise<number | null> {
  if (!hasStore(project)) return null;
  return withRuns(context, project, async (runs) => {
    const runId = await findIdIfAny(runs, word);
    if (runId === null) return null;
    const answers = await readAnswers(runs, runId, given);
    await runs.executor.answer(runId, answers, systemAnswerer());
    if (given.flag("detach")) return tellStored(context, runs, runId, given);
    if (given.text("csv") !== null)
      context.note("--csv is not needed: the run goes on with the sheet as it was when it began");
    return followToEnd(context, runs, runId, given);
  });
}

/** Ctrl-C lets go of the run: what was answered stays, and others may go on with it. */
async function followToEnd(context: Context, runs: KeptRuns, runId: string, given: Given): Promise<number> {
  const { note } = context;
  const asker = createAsker(context);
  const cancellation = createCancellation(context, { keeps: true, asker });
  const seen = watchRun(context, given, asker !== null);
  const { options, end } = await guard(context, runs, runId, { ...seen, asks: asker !== null });
  try {
    const { on, trace } = options;
    const follower = { note, on, trace, signal: cancellation.signal };
    const followed = await followAsking(context, runs, runId, { asker, cancellation }, follower);
    if (followed.kind === "let_go") return EXIT.interrupted;
    tellResult(context, followed.result, seen.json, seen.visits());
    await followed.told();
    return exitCode(followed.result, cancellation.isInterrupted());
  } finally {
    end();
    asker?.close();
    cancellation.end();
  }
}

/** Ctrl-C must end the command even when an agent never pauses. The run is then as if its process had died. */
async function guard(
  context: Context,
  runs: KeptRuns,
  runId: string,
  { json, trace, on, asks }: Watched & { readonly asks: boolean },
): Promise<Pick<Awaited<ReturnType<typeof guardRun>>, "options" | "end">> {
  const run = await runs.executor.get(runId);
  // Why a graph is not there, the leg says.
  const subject = run === null ? null : await runs.graphOf(run).catch(() => null);
  if (run === null || subject === null) return { options: { on, trace }, end: () => {} };
  const { timeoutMs = null } = (run.options ?? {}) as { readonly timeoutMs?: number | null };
  const options = { on, trace, ...(timeoutMs === null ? {} : { timeoutMs }) };
  return guardRun(context, subject, options, resultOf(run), asks, json);
}

async function followAsking(
  context: Context,
  { executor }: KeptRuns,
  runId: string,
  { asker, cancellation }: { readonly asker: Asker | null; readonly cancellation: Cancellation },
  follower: Follower,
): Promise<Followed> {
  for (;;) {
    const followed = await executor.follow(runId, follower);
    if (followed.kind === "let_go" || followed.result.status !== "suspended") return followed;
    const starter = (await executor.get(runId))?.userId ?? null;
    const open = questionsIn(await executor.waits(runId));
    const told = { ...followed, result: withPeople(followed.result, open, starter) };
    if (asker === null) return told;
    const questions = ownQuestions(context, open, starter);
    const answers = questions.length === 0 ? null : await asker.ask(questions, {}, cancellation.signal);
    if (answers === null && !(await cancellation.decided())) return told;
    if (answers === null) await executor.cancel(runId);
    else await executor.answer(runId, answers, systemAnswerer());
  }
}

async function readAnswers({ executor }: KeptRuns, runId: string, given: Given): Promise<Answers> {
  const waits = await executor.waits(runId);
  const names = waits.map(({ waiting }) => waiting.node);
  const answers: { [node: string]: string } = {};
  for (const pair of given.list("answer")) {
    const answer = readAnswerTo(pair, names);
    if (answer === null) throw new UsageError(`--answer takes Node=value, not ${quoted(pair)}`);
    answers[answer.node] = answer.value;
  }
  return answers;
}

/** `--detach`: the answer is stored, and a worker goes on. */
async function tellStored(context: Context, runs: KeptRuns, runId: string, given: Given): Promise<number> {
  const status = (await runs.executor.get(runId))?.status ?? "queued";
  const told = given.flag("json") ? jsonText({ run_id: runId, status }) : `${runId}  ${status}\n`;
  context.stdout.write(told);
  if (status === "queued") await noteNobody(context, runs);
  return EXIT.done;
}
