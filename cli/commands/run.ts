import type { Project } from "../../runtime/config/folders.js";
import type { Result, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { asleepIn } from "../../runtime/graph/suspend/names-inside.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { toWorkflowResult, type WorkflowResult } from "../../runtime/runs/result.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { type Mine, runWithAnswers } from "../run/ask.js";
import { givenToModule } from "../run/given-state.js";
import type { Begun } from "../run/keep.js";
import { readDeadline, readKey } from "../run/key-and-times.js";
import { openRun, type Subject } from "../run/open.js";
import { limitsOf } from "../run/options.js";
import { exitCode, tellResult } from "../run/outcome.js";
import { ownQuestions, withPeople } from "../run/own-questions.js";
import { openRecording } from "../run/recording.js";
import { type Supervised, superviseRun } from "../run/supervise.js";
import { systemUser } from "../run/system-user.js";

/** What only a run that is kept can have. */
const OF_KEPT = ["--key", "--deadline"];

export async function run(context: Context, operands: readonly string[], given: Given): Promise<number> {
  if (given.flag("detach")) return (await import("../run/detach.js")).runDetached(context, operands, given);
  if (given.text("at") !== null) throw new UsageError("--at needs --detach");
  const wish = {
    key: readKey(given.text("key")),
    deadline: readDeadline(given.text("deadline"), Date.now()),
  };
  const limits = limitsOf(given);
  const opened = await openRun(context, operands, given);
  const { project } = opened;
  const isGenerated = given.flag("generated");
  const subject = isGenerated ? await withModule(opened.subject, project) : opened.subject;
  const state = isGenerated ? givenToModule(context, subject, given, opened.state) : opened.state;
  const recording = await openRecording(context, project, given);
  const begun = { graph: subject.ir.name, state, path: [], steps: 0 };
  const keeps = keepsRun(project, given);
  const supervision = { project, subject, given, limits, recording, begun, keeps };
  return superviseRun(context, supervision, async (supervised) => {
    const { cancellation, visits } = supervised;
    const begun = { project, subject, state, limits, wish };
    const result = keeps
      ? await runKept(context, begun, supervised)
      : await runHere(context, begun, supervised);
    if (result === null) return EXIT.interrupted;
    const told = cancellation.told(result, subject.placeOf);
    tellResult(context, told, given.flag("json"), visits());
    const code = exitCode(told, cancellation.isInterrupted());
    return recording === null ? code : recording.end(code);
  });
}

function keepsRun({ file, keeping }: Project, given: Given): boolean {
  const isProject = file !== null && keeping.keep === "all";
  const keeps = isProject && !given.flags.includes("--no-keep");
  const wanted = given.flags.find((flag) => OF_KEPT.includes(flag));
  if (keeps || wanted === undefined) return keeps;
  throw new UsageError(
    `${wanted} needs a run that is kept`,
    isProject ? "leave out --no-keep" : "--detach keeps it",
  );
}

/** Null when the run was left to others. */
async function runKept(
  context: Context,
  begun: Begun,
  supervised: Supervised,
): Promise<WorkflowResult | null> {
  const { keepRun } = await import("../run/keep.js");
  return keepRun(context, begun, supervised);
}

/** In memory: only a run that waits is stored. */
async function runHere(
  context: Context,
  begun: Omit<Begun, "wish">,
  { options: usual, asker, cancellation }: Supervised,
): Promise<WorkflowResult> {
  const { project, subject, state } = begun;
  const { deadlineMs } = project.keeping;
  const options = deadlineMs === null ? usual : { ...usual, deadline: Date.now() + deadlineMs };
  const mine: Mine = (questions) => ownQuestions(context, questions, systemUser());
  const { signal } = cancellation;
  const result = await runWithAnswers(subject.graph, state, options, asker, { signal, mine });
  if (!cancellation.isInterrupted()) await keepSuspended(context, begun, options, result);
  const told = toWorkflowResult(result, subject.placeOf);
  return result.status === "suspended" ? withPeople(told, asleepIn(result.checkpoint), systemUser()) : told;
}

/** The same graph from its generated module. Problems of sheet and input were reported before. */
async function withModule(opened: Subject, project: Project): Promise<Subject> {
  const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
  return { ...opened, graph: await openGenerated(opened.family, project) };
}

/** The code to store runs is loaded only when a run waits. */
async function keepSuspended(
  context: Context,
  { project, subject, limits }: Omit<Begun, "wish">,
  options: RunOptions,
  result: Result<StateData>,
): Promise<void> {
  if (result.status !== "suspended") return;
  const { keepWaiting } = await import("../../runtime/runs/kept/keep-waiting.js");
  const { openKept } = await import("../run/keep.js");
  const { encoding } = context;
  const { path } = subject.sheet;
  const user = systemUser();
  const about = { path, encoding, limits, deadline: options.deadline ?? null, userId: user, startedBy: user };
  let kept: KeptRuns | null = null;
  try {
    await keepWaiting({ opened: subject, result, ...about }, project, async () => {
      kept = await openKept(context, project, options);
      return kept;
    });
  } finally {
    await (kept as KeptRuns | null)?.close(0);
  }
}
