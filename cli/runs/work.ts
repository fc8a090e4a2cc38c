import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import { StoreTrouble } from "../../runtime/durable/trouble.js";
import type { Worker } from "../../runtime/durable/worker.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { checkRemindWith } from "../../runtime/runs/reminders/remind-with.js";
import { findGraph, projectSheets } from "../../runtime/workflows/find-graph.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, unreadable } from "../project.js";
import { projectOptions } from "../run/options.js";
import { shownStore, withRuns } from "./open.js";

/** Nodes at work may finish for so long after the first signal. */
const GRACE_MS = 30_000;

/** `flowsheet work`: works on due runs, whoever began them, until it is told to stop. */
export async function work(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  const project = openProject(context);
  const concurrency = readConcurrency(given.text("concurrency")) ?? project.keeping.concurrency;
  const names = given.list("graph");
  const isDraining = given.flag("drain");
  const now = readNow(given.text("now"), isDraining);
  checkReminding(context, project);
  const { events, note, fail } = context;
  await events.keepChildrenOffStdout();
  const trouble = new StoreTrouble(projectOptions(context, project).log);
  const use = async (runs: KeptRuns): Promise<number> => {
    await runs.checkStore();
    for (const name of names) await checkGraph(context, project, runs, name);
    const told = toldToStop(context);
    // An unhandled error of one agent must not end the runs of others.
    events.onStray((thrown) => note(`something failed that no node waits for: ${messageOf(thrown)}`));
    const off = events.onQuit(() => fail("an agent ended the worker's process"));
    const planner = isDraining && now === null ? null : await beginSchedules(context, project, trouble, now);
    const graphs = names.length > 0 ? { graphs: names } : {};
    const worker = runs.executor.work({ concurrency, ...graphs });
    context.tell("at work:", `${await shownStore(context, project)}, ${concurrency} at a time`);
    const stopped = await (isDraining ? Promise.race([told, drained(worker)]) : told);
    if (stopped !== "drained") note("stopping: nodes at work may finish");
    await planner?.close();
    await worker.stop(GRACE_MS);
    off();
    return stopped === "interrupted" ? EXIT.interrupted : EXIT.done;
  };
  return withRuns(context, project, use, trouble);
}

function checkReminding({ cwd, env }: Context, project: Project): void {
  try {
    checkRemindWith(project, env);
  } catch (error) {
    throw unreadable(error, cwd);
  }
}

/** What is due at its time is begun by every worker that stays. One that drains begins what is due at the time it is told. */
async function beginSchedules(
  context: Context,
  project: Project,
  trouble: StoreTrouble,
  now: number | null,
): Promise<{ close(): Promise<void> }> {
  const { cwd, env, encoding } = context;
  const { Runner } = await import("../../runtime/runs/runner.js");
  const { createGeneratedModules } = await import("../../runtime/workflows/generated-modules.js");
  const { log } = projectOptions(context, project);
  const modules = createGeneratedModules(project, log);
  const known = { modules, graphAt: modules.known };
  const runner = new Runner({ cwd, project, env, encoding, log, trouble, ...known, onlyListedHosts: true });
  try {
    await (now === null ? runner.schedule() : runner.beginScheduledAt(now));
  } catch (error) {
    throw unreadable(error, cwd);
  }
  return runner;
}

/** A time of the clock, as the shell of somebody who tries a schedule out writes it. */
function readNow(text: string | null, isDraining: boolean): number | null {
  if (text === null) return null;
  if (!isDraining) throw new UsageError("--now goes with --drain");
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`--now takes a time such as 2026-11-23T22:00:00Z, not ${quoted(text)}`);
}

const drained = async (worker: Worker): Promise<"drained"> => {
  await worker.drained();
  return "drained";
};

function readConcurrency(text: string | null): number | null {
  if (text === null) return null;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new UsageError(`--concurrency takes a whole number, 1 or more, not ${quoted(text)}`);
}

/** Runs of a graph whose sheet is gone are worked on, too. */
async function checkGraph(
  { cwd, encoding }: Context,
  project: Project,
  { executor: { store } }: KeptRuns,
  graph: string,
): Promise<void> {
  if ((await store.versionsOf(graph)).length > 0) return;
  try {
    findGraph({ sheets: projectSheets(cwd, project).sheets, graph, folders: project, encoding });
  } catch (error) {
    // Runs are known by the name of their graph alone, so several sheets may have it.
    if (!(error instanceof WorkflowError) || error.code !== "graph_needed") throw error;
  }
}

function toldToStop({ events }: Context): Promise<"interrupted" | "terminated"> {
  return new Promise((resolve) => {
    events.onInterrupt(() => resolve("interrupted"));
    events.onTerminate(() => resolve("terminated"));
  });
}
