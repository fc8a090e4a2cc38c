import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../runtime/config/folders.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import { readAnswerTo } from "../../runtime/runs/answers.js";
import type { Runner } from "../../runtime/runs/runner.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { exitCode, tellResult } from "./outcome.js";

/** Opens the store of runs; null when the project has none, which is looked at without loading anything. */
export async function openRunner(context: Context, project: Project): Promise<Runner | null> {
  if (!existsSync(join(project.runs, "runs.db"))) return null;
  const { Runner: Opened } = await import("../../runtime/runs/runner.js");
  const { cwd, env, encoding } = context;
  return new Opened({ cwd, project, env, encoding });
}

/** Goes on with a run of the store. Null when the run is not there, or has ended. */
export async function resumeKept(
  context: Context,
  project: Project,
  runId: string,
  given: Given,
): Promise<number | null> {
  const runner = await openRunner(context, project);
  const run = (await runner?.findKept(runId)) ?? null;
  if (runner === null || run === null) return null;
  const answers: { [node: string]: string } = {};
  const names = run.waiting.map(({ node }) => node);
  for (const pair of given.list("answer")) {
    const answer = readAnswerTo(pair, names);
    if (answer === null) throw new UsageError(`--answer takes Node=value, not ${JSON.stringify(pair)}`);
    answers[answer.node] = answer.value;
  }
  const result = await runner.resume(runId, answers as Answers, {});
  tellResult(context, result, given.flag("json"));
  await runner.close(0);
  return exitCode(result, false);
}
