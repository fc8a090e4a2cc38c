import { dirname, resolve } from "node:path";
import type { Project, RunLimits } from "../../config/folders.js";
import { StoreError } from "../../durable/store-error.js";
import type { StateData, Suspended } from "../../graph/contract/contract.js";
import { MODULE } from "../../workflows/module-text.js";
import type { OpenedGraph } from "../../workflows/open-graph.js";
import { createRunStore } from "../files/store.js";
import { createRecord } from "../record.js";
import { toWorkflowResult } from "../result.js";
import { sheetFrom } from "../resume.js";
import { StoredRunError } from "../suspended.js";
import type { KeptRuns } from "./kept-runs.js";

/** A run that was driven in memory, and waits. */
export interface WaitingRun {
  readonly opened: OpenedGraph;
  readonly result: Suspended<StateData>;
  /** Of the sheet; null for standard input. */
  readonly path: string | null;
  readonly encoding: string | null;
  readonly limits: RunLimits;
  readonly deadline: number | null;
  readonly userId: string | null;
  readonly startedBy: string | null;
}

/** Keeps the run in the store; in a file when nobody could open its graph from there. */
export async function keepWaiting(
  run: WaitingRun,
  project: Project,
  store: () => Promise<KeptRuns>,
): Promise<void> {
  const { result, path, encoding, limits, startedBy } = run;
  try {
    if (opensAgain(run, project)) return await keepInStore(run, await store());
    const sheet = path === null ? null : sheetFrom(project.root, path);
    const record = createRecord({ sheet, encoding, limits, startedBy }, result.checkpoint, result.waiting);
    await createRunStore(project.runs).add(record);
  } catch (error) {
    throw unkept(result.runId, error);
  }
}

/** From the texts that its version keeps, or from a generated module. */
function opensAgain({ opened, path }: WaitingRun, { generated }: Project): boolean {
  const isModule = path?.endsWith(MODULE) === true && dirname(resolve(path)) === generated;
  return isModule || (opened.texts?.() ?? null) !== null;
}

async function keepInStore(run: WaitingRun, kept: KeptRuns): Promise<void> {
  const { opened, result, path, limits, deadline, userId, startedBy } = run;
  const about = { ...kept.about(path, limits), deadline, userId, startedBy };
  await kept.keepAsleep(opened, result, toWorkflowResult(result, opened.placeOf), about);
}

function unkept(runId: string, error: unknown): unknown {
  const words = `the suspended run ${runId} cannot be kept`;
  if (error instanceof StoreError) {
    const { code, help, message } = error;
    return new StoreError(code, `${words}: ${message}`, { cause: error, ...(help === null ? {} : { help }) });
  }
  // A custom agent may wait with data that JSON cannot hold.
  return error instanceof TypeError
    ? new StoredRunError("run_unwritable", runId, `${words}: ${error.message}`)
    : error;
}
