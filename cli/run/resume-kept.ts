import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { Project } from "../../runtime/config/folders.js";
import type { Follower } from "../../runtime/durable/executor.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import { readAnswerTo } from "../../runtime/runs/answers.js";
import type { KeptRuns } from "../../runtime/runs/kept-runs.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { noteNobody } from "../runs/change.js";
import { findIdIfAny, hasStore, withRuns } from "../runs/open.js";
import { exitCode, tellResult } from "./outcome.js";
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
    const follower: Follower = { note: context.note };
    const followed = await runs.executor.follow(runId, follower);
    if (followed.kind === "let_go") return EXIT.interrupted;
    tellResult(context, followed.result, given.flag("json"));
    return exitCode(followed.result, false);
  });
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
