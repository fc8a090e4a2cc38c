import type { Project } from "../../runtime/config/folders.js";
import type { Result, StateData } from "../../runtime/graph/contract/contract.js";
import type { RunLimits } from "../../runtime/runs/record.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { givenToModule, readGivenState } from "../run/given-state.js";
import { guardRun } from "../run/guard.js";
import { createLeash } from "../run/leash.js";
import { askerFor, runWithAnswers } from "../run/legs.js";
import { chooseSheet, openSubject, type Subject } from "../run/open.js";
import { exitCode, tellResult } from "../run/outcome.js";
import { openTape, type Tape } from "../run/tape.js";
import { limitsOf, watchRun } from "../run/watch.js";

/** `flowsheet run`: runs a graph of a sheet. */
export async function run(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const limits = limitsOf(given);
  const project = openProject(context);
  const sheet = await chooseSheet(context, project, { operands, given });
  if (sheet.path === null && given.text("state") === "-")
    throw new UsageError("standard input cannot be the sheet and the state");
  const choice = { sheet, graph: given.text("graph"), encoding: context.encoding };
  const opened = await openSubject(context, project, choice);
  const read = await readGivenState(context, opened, given);
  const subject = given.flag("generated") ? await withModule(opened, project) : opened;
  const state = subject === opened ? read : givenToModule(context, subject, { given, state: read });
  const tape = await openTape(context, project, given);
  return perform(context, subject, { project, given, limits, state, tape });
}

/** The same graph as its generated module has it: what is wrong with sheet and input has been said by now. */
async function withModule(opened: Subject, project: Project): Promise<Subject> {
  const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
  return { ...opened, graph: await openGenerated(opened.family, project) };
}

interface Performance {
  readonly project: Project;
  readonly given: Given;
  readonly limits: RunLimits;
  readonly state: StateData;
  readonly tape: Tape | null;
}

async function perform(context: Context, subject: Subject, performance: Performance): Promise<number> {
  const { project, given, limits, state, tape } = performance;
  const leash = createLeash(context);
  const asker = askerFor(context);
  const asks = asker !== null;
  const watched = watchRun(context, { project, given, limits, leash, asks, tape });
  const { runId, trace } = watched;
  const json = given.flag("json");
  const begun = { runId, graph: subject.ir.name, state, path: [], steps: 0 };
  const { options, end } = await guardRun(context, { subject, options: watched.options, begun, json, asks });
  try {
    const result = await runWithAnswers(subject.graph, state, { options, asker, leash });
    await keepSuspended(context, subject, { result, performance });
    const told = toWorkflowResult(result, subject.placeOf);
    tellResult(context, told, { json, trace: trace() });
    end();
    const code = exitCode(told, leash.isInterrupted());
    return tape === null ? code : tape.end(code);
  } finally {
    asker?.close();
    leash.end();
  }
}

interface Ended {
  readonly result: Result<StateData>;
  readonly performance: Performance;
}

/** Stores a run that waits. What that takes is loaded only then. */
async function keepSuspended(
  { encoding }: Context,
  { sheet: { path } }: Subject,
  { result, performance: { project, limits } }: Ended,
): Promise<void> {
  if (result.status !== "suspended") return;
  const { createRunStore } = await import("../../runtime/runs/store.js");
  const { createRecord } = await import("../../runtime/runs/record.js");
  const { sheetFrom } = await import("../../runtime/runs/resume.js");
  const origin = { sheet: path === null ? null : sheetFrom(project.root, path), encoding, limits };
  await createRunStore(project.runs).add(createRecord(origin, result.checkpoint, result.waiting));
}
