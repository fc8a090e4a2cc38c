import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Answers, Result, RunOptions, StateData } from "../graph/contract/contract.js";
import { StaleError } from "../graph/contract/errors.js";
import type { Answerer } from "../graph/suspend/answerer.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { WorkflowError } from "../workflows/workflow-error.js";
import { checkAnswerers, checkAnswers } from "./answers.js";
import { createRecord, type RunRecord } from "./record.js";
import { toWorkflowResult, type WorkflowResult } from "./result.js";
import { type Claim, type StoredRun, StoredRunError } from "./suspended.js";

export interface Resumed {
  readonly result: WorkflowResult;
  /** Call it after the result was delivered: until then the store keeps it. */
  readonly told: () => Promise<void>;
}

const nothing = async (): Promise<void> => {};

/** Uses the current sheet. Refuses a changed meaning and invalid answers before anything is modified. */
export async function prepareResume<O extends OpenedGraph>(
  record: RunRecord,
  { answers, answerer }: Pick<Going, "answers" | "answerer">,
  open: () => Promise<O>,
): Promise<O> {
  checkAnswerers(record, answers, answerer);
  const opened = await open().catch((error: unknown) => {
    const isGraphGone = error instanceof WorkflowError && error.code === "graph_unknown";
    throw isGraphGone ? stale(record) : error;
  });
  if (opened.graph.fingerprint !== record.fingerprint) throw stale(record);
  checkAnswers(record.checkpoint, answers);
  return opened;
}

function stale({ runId, graph }: RunRecord): StaleError {
  const name = JSON.stringify(graph);
  return new StaleError(
    `the run ${runId} is stale: ${name} has changed its meaning since it was suspended (run_stale)`,
  );
}

export interface Going {
  readonly opened: OpenedGraph;
  readonly answers: Answers;
  readonly answerer: Answerer;
  readonly options: RunOptions;
}

/**
 * Answers are stored before the run continues, and the result before it is delivered. So after a crash another process
 * can continue with the same answers, or deliver the stored result.
 */
export async function resumeStored(stored: StoredRun, going: Going): Promise<Resumed> {
  const { opened, answers, answerer } = going;
  const claim = await stored.claim();
  const { record } = claim;
  if (record.end !== null) return { result: record.end, told: claim.remove };
  const { startedBy } = record;
  const options = startedBy == null ? going.options : { ...going.options, startedBy };
  const accepted = { ...answers, ...record.answers };
  for (const node of Object.keys(answers)) {
    if (Object.hasOwn(record.answers, node))
      options.log?.warn(
        `${JSON.stringify(node)} was answered before the run was cut short: that answer stands`,
      );
  }
  let result: Result<StateData>;
  try {
    // Somebody else may have been asked since it was read.
    checkAnswerers(record, answers, answerer);
    checkAnswers(record.checkpoint, answers);
    if (Object.keys(answers).length > 0) await claim.write({ ...record, answers: accepted });
    result = await opened.graph.resume(record.checkpoint, accepted, options);
  } catch (error) {
    await putBack(claim, answers);
    throw error;
  }
  return settle(claim, going, result);
}

async function settle(claim: Claim, { opened, answers }: Going, result: Result<StateData>): Promise<Resumed> {
  const { record } = claim;
  const told = toWorkflowResult(result, opened.placeOf);
  if (result.status === "suspended") {
    const next = createRecord(record, result.checkpoint, result.waiting);
    // If the write fails, the previous record stays.
    await claim.write(next).finally(claim.release);
    return { result: told, told: nothing };
  }
  if (result.status === "cancelled") {
    await putBack(claim, answers);
    return { result: told, told: nothing };
  }
  // The result is stored in case its delivery fails. On a full disk it is delivered without that.
  await claim.write({ ...record, end: told }).catch((error: unknown) => {
    if (!(error instanceof StoredRunError && error.code === "run_unwritable")) throw error;
  });
  return { result: told, told: claim.remove };
}

/** Undoes this attempt: its answers are removed, and the run waits again. */
async function putBack(claim: Claim, answers: Answers): Promise<void> {
  if (Object.keys(answers).length > 0) await claim.write(claim.record).catch(() => {});
  await claim.release();
}

/** Relative to the project's folder, so that the project can be moved. */
export function sheetFrom(root: string, path: string): string {
  const way = relative(root, path);
  return isAbsolute(way) ? path : way.replaceAll(sep, "/");
}

export function sheetOf({ runId, sheet }: RunRecord, root: string): string {
  if (sheet !== null) return resolve(root, sheet);
  throw new WorkflowError("sheet_unreadable", `the sheet of the run ${runId} came from standard input`, {
    help: "give it again with --csv",
  });
}

/** Null unless the run has ended and its result was not delivered. */
export async function tellEnd(stored: StoredRun): Promise<Resumed | null> {
  if (stored.record.end === null) return null;
  const { record, remove } = await stored.claim();
  return record.end === null ? null : { result: record.end, told: remove };
}
