import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import { asleepIn } from "../../runtime/graph/suspend/names-inside.js";
import { readAnswer } from "../../runtime/runs/answers.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import { type RunRecord, resultOf } from "../../runtime/runs/record.js";
import {
  type Going,
  prepareResume,
  type Resumed,
  resumeStored,
  sheetOf,
  tellEnd,
} from "../../runtime/runs/resume.js";
import type { RunStore, StoredRun } from "../../runtime/runs/suspended.js";
import { nameFrom, type SheetPath } from "../../runtime/workflows/find-sheets.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { openSubject } from "../run/open.js";
import { exitCode, tellResult } from "../run/outcome.js";
import { ownQuestions } from "../run/own-questions.js";
import { resumeKept } from "../run/resume-kept.js";
import { type Supervised, superviseRun } from "../run/supervise.js";
import { systemAnswerer } from "../run/system-user.js";
import { named, stdin } from "../sheets/collect.js";

export async function resume(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const project = openProject(context);
  const kept = await resumeKept(context, project, operands[0] ?? "", given);
  if (kept !== null) return kept;
  const store = createRunStore(project.runs);
  const stored = await store.find(operands[0] ?? "");
  if (given.flag("detach"))
    throw new UsageError(
      `the run ${stored.record.runId} is kept in a file of an earlier version: no worker goes on with it`,
      "leave out --detach",
    );
  const json = given.flag("json");
  const ended = await tellEnd(stored);
  if (ended !== null) return conclude(context, ended, json);
  const { record } = stored;
  const answers = readAnswers(given, record);
  const answerer = systemAnswerer();
  const subject = await prepareResume(record, { answers, answerer }, () => {
    const sheet = sheetFor(context, project, record, given.text("csv"));
    return openSubject(context, project, sheet, record.graph, context.encoding ?? record.encoding);
  });
  const supervision = { project, subject, given, limits: record.limits, begun: resultOf(record) };
  return superviseRun(context, supervision, async (run) => {
    const resumed = await goOn(context, store, stored, { answers, opened: subject, answerer }, run);
    return conclude(context, resumed, json, run.visits(), run.cancellation.isInterrupted());
  });
}

function readAnswers(given: Given, { checkpoint }: RunRecord): Answers {
  const answers: { [node: string]: string } = {};
  for (const pair of given.list("answer")) {
    const answer = readAnswer(pair, checkpoint);
    if (answer === null) throw new UsageError(`--answer takes Node=value, not ${quoted(pair)}`);
    answers[answer.node] = answer.value;
  }
  return answers;
}

/** The run's sheet, which may have been moved. */
function sheetFor({ cwd }: Context, { root }: Project, record: RunRecord, moved: string | null): SheetPath {
  if (moved === "-") return stdin;
  if (moved !== null) return named(cwd, moved);
  const path = sheetOf(record, root);
  if (path.endsWith(".gen.ts"))
    throw new UsageError(
      `the run ${record.runId} is of a generated module that the server serves without its sheet`,
      "resume it there, or give its sheet with --csv",
    );
  return named(cwd, path, nameFrom(cwd, path));
}

/** Each answer is stored, so that none is lost when a later step fails. */
async function goOn(
  context: Context,
  store: RunStore,
  first: StoredRun,
  { answers, ...going }: Omit<Going, "options">,
  { options, asker, cancellation: { signal } }: Supervised,
): Promise<Resumed> {
  let stored = first;
  let known = answers;
  for (;;) {
    const { record } = stored;
    const questions = ownQuestions(context, asleepIn(record.checkpoint), record.startedBy ?? null);
    const asked = await asker?.ask(questions, { ...known, ...record.answers }, signal);
    if (asked === null && Object.keys(known).length === 0) return untouched(record);
    const all = { ...known, ...asked };
    const resumed = await resumeStored(stored, { ...going, answers: all, options });
    const isDone = resumed.result.status !== "suspended" || Object.keys(all).length === 0;
    if (isDone || asker === null || asked === null) return resumed;
    stored = await store.find(record.runId);
    known = {};
  }
}

const untouched = (record: RunRecord): Resumed => ({ result: resultOf(record), told: async () => {} });

/** The stored run is removed only after its result was written. */
async function conclude(
  context: Context,
  { result, told }: Resumed,
  json: boolean,
  trace: readonly object[] | null = null,
  interrupted = false,
): Promise<number> {
  tellResult(context, result, json, trace);
  await told();
  return exitCode(result, interrupted);
}
