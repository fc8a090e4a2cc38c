import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { Project } from "../../runtime/config/folders.js";
import type { Followed, Follower } from "../../runtime/durable/executor.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import { readAnswerTo } from "../../runtime/runs/answers.js";
import type { KeptRuns } from "../../runtime/runs/kept-runs.js";
import { LET_GO } from "../../runtime/runs/let-go.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { noteNobody } from "../runs/change.js";
import { findIdIfAny, hasStore, withRuns } from "../runs/open.js";
import { type Asker, createAsker } from "./ask.js";
import { createCancellation } from "./cancellation.js";
import { exitCode, tellResult } from "./outcome.js";
import { createProgress } from "./progress.js";
import { systemUser } from "./system-user.js";

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
    await runs.executor.answer(runId, answers, { by: systemUser() });
    if (given.flag("detach")) return tellStored(context, runs, runId, given);
    return followToEnd(context, runs, runId, given.flag("json"));
  });
}

/** Ctrl-C lets go of the run: what was answered stays, and others may go on with it. */
async function followToEnd(context: Context, runs: KeptRuns, runId: string, json: boolean): Promise<number> {
  const { note, quiet } = context;
  const cancellation = createCancellation(context);
  const asker = createAsker(context);
  const stop = new AbortController();
  cancellation.signal.addEventListener("abort", () =>
    stop.abort(cancellation.isInterrupted() ? LET_GO : undefined),
  );
  const on = quiet ? undefined : createProgress(context, false);
  const follower = { note, on, signal: stop.signal };
  try {
    const followed = await followAsking(runs, runId, asker, follower);
    if (followed.kind === "let_go") return EXIT.interrupted;
    tellResult(context, followed.result, json);
    return exitCode(followed.result, cancellation.isInterrupted());
  } finally {
    asker?.close();
    cancellation.end();
  }
}

async function followAsking(
  { executor }: KeptRuns,
  runId: string,
  asker: Asker | null,
  follower: Follower & { readonly signal: AbortSignal },
): Promise<Followed> {
  for (;;) {
    const followed = await executor.follow(runId, follower);
    if (asker === null || followed.kind === "let_go" || followed.result.status !== "suspended")
      return followed;
    const waits = (await executor.waits(runId)).filter(({ ending }) => ending === null);
    const questions = waits.map(({ waiting, spec, until }) => ({ node: waiting.node, spec, until }));
    const answers = await asker.ask(questions, {}, follower.signal);
    if (answers === null) return followed;
    await executor.answer(runId, answers, { by: systemUser() });
  }
}

async function readAnswers({ executor }: KeptRuns, runId: string, given: Given): Promise<Answers> {
  const waits = await executor.waits(runId);
  const names = waits.map(({ waiting }) => waiting.node);
  const answers: { [node: string]: string } = {};
  for (const pair of given.list("answer")) {
    const answer = readAnswerTo(pair, names);
    if (answer === null) throw new UsageError(`--answer takes Node=value, not ${JSON.stringify(pair)}`);
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
