import type { Project } from "../../runtime/config/folders.js";
import type { Result, StateData } from "../../runtime/graph/contract/contract.js";
import type { RunLimits } from "../../runtime/runs/record.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { createAsker, runWithAnswers } from "../run/ask.js";
import { createCancellation } from "../run/cancellation.js";
import { givenToModule } from "../run/given-state.js";
import { guardRun } from "../run/guard.js";
import { type OpenedRun, openRun, type Subject } from "../run/open.js";
import { limitsOf, watchRun } from "../run/options.js";
import { exitCode, tellResult } from "../run/outcome.js";
import { openRecording, type Recording } from "../run/recording.js";

export async function run(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const limits = limitsOf(given);
  const opened = await openRun(context, { operands, given, stdin: "free" });
  const { project } = opened;
  const isGenerated = given.flag("generated");
  const subject = isGenerated ? await withModule(opened.subject, project) : opened.subject;
  const state = isGenerated ? givenToModule(context, subject, { given, state: opened.state }) : opened.state;
  const recording = await openRecording(context, project, given);
  return runToEnd(context, { project, given, limits, subject, state, recording });
}

/** The same graph as its generated module has it: what is wrong with sheet and input has been said by now. */
async function withModule(opened: Subject, project: Project): Promise<Subject> {
  const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
  return { ...opened, graph: await openGenerated(opened.family, project) };
}

interface Started extends OpenedRun {
  readonly given: Given;
  readonly limits: RunLimits;
  readonly recording: Recording | null;
}

async function runToEnd(context: Context, started: Started): Promise<number> {
  const { given, subject, state, recording } = started;
  const cancellation = createCancellation(context);
  const asker = createAsker(context);
  const asks = asker !== null;
  const watched = watchRun(context, { ...started, cancellation, asks });
  const { runId, trace } = watched;
  const json = given.flag("json");
  const begun = { runId, graph: subject.ir.name, state, path: [], steps: 0 };
  const { options, end } = await guardRun(context, { subject, options: watched.options, begun, json, asks });
  try {
    const { signal } = cancellation;
    const result = cancellation.told(await runWithAnswers(subject.graph, state, { options, asker, signal }));
    await keepSuspended(context, started, result);
    const told = toWorkflowResult(result, subject.placeOf);
    tellResult(context, told, { json, trace: trace() });
    end();
    const code = exitCode(told, cancellation.isInterrupted());
    return recording === null ? code : recording.end(code);
  } finally {
    asker?.close();
    cancellation.end();
  }
}

/** Stores a run that waits. What that takes is loaded only then. */
async function keepSuspended(
  { encoding }: Context,
  { subject, project, limits }: Started,
  result: Result<StateData>,
): Promise<void> {
  if (result.status !== "suspended") return;
  const { createRunStore } = await import("../../runtime/runs/store.js");
  const { createRecord } = await import("../../runtime/runs/record.js");
  const { sheetFrom } = await import("../../runtime/runs/resume.js");
  const { path } = subject.sheet;
  const origin = { sheet: path === null ? null : sheetFrom(project.root, path), encoding, limits };
  await createRunStore(project.runs).add(createRecord(origin, result.checkpoint, result.waiting));
}
