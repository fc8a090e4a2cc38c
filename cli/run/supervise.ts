import type { Project, RunLimits } from "../../runtime/config/folders.js";
import type { RunOptions } from "../../runtime/graph/contract/contract.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { type Asker, createAsker } from "./ask.js";
import { type Cancellation, createCancellation } from "./cancellation.js";
import { guardRun, type RunSoFar } from "./guard.js";
import { projectOptions } from "./options.js";
import type { Recording } from "./recording.js";
import { watchRun } from "./watch.js";

interface Supervision {
  readonly project: Project;
  readonly subject: OpenedGraph;
  readonly given: Given;
  readonly limits: RunLimits;
  readonly recording?: Recording | null;
  /** Ctrl-C leaves the run to others in place of cancelling it. */
  readonly keeps?: boolean;
  /** The part of the run before it was suspended. */
  readonly begun: Omit<RunSoFar, "runId">;
}

export interface Supervised {
  readonly options: RunOptions;
  /** Null when there is nobody to ask. */
  readonly asker: Asker | null;
  readonly cancellation: Cancellation;
  /** The visits so far in their order; null unless they are asked for. */
  readonly visits: () => readonly object[] | null;
}

/** Progress, Ctrl-C, the time-out and questions to a person work while `work` runs. */
export async function superviseRun(
  context: Context,
  { project, subject, given, limits, recording = null, begun, keeps = false }: Supervision,
  work: (run: Supervised) => Promise<number>,
): Promise<number> {
  const asker = createAsker(context);
  const cancellation = createCancellation(context, { keeps, asker });
  const asks = asker !== null;
  const { json, trace, on, visits } = watchRun(context, given, asks);
  const usual = projectOptions(context, project);
  const { maxSteps } = limits;
  const timeoutMs = limits.timeoutMs ?? project.execution.timeoutMs;
  const runId = createRunId();
  const wished: RunOptions = {
    ...usual,
    runId,
    on,
    trace,
    signal: cancellation.signal,
    services: recording === null ? usual.services : recording.wrap(usual.services),
    ...(maxSteps !== null && { maxSteps }),
    ...(timeoutMs !== null && { timeoutMs }),
  };
  const { options, end } = await guardRun(context, subject, wished, { runId, ...begun }, asks, json);
  try {
    return await work({ options, asker, cancellation, visits });
  } finally {
    end();
    asker?.close();
    cancellation.end();
  }
}

/** An id is no secret, so Node's crypto module, which loads slowly, is not needed. */
function createRunId(): string {
  const words = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32));
  return words.map((word) => word.toString(16).padStart(8, "0")).join("");
}
