import { visitIdOf } from "../durable/edits/find-visit.js";
import { isGoneWait, type RunRow, type StepRow, type WaitEnding, type WaitRow } from "../durable/rows.js";
import type { Json, WaitSpec } from "../graph/contract/contract.js";
import { isoOf } from "../graph/values/times.js";
import { describeOutcome, describeResult, type WorkflowResult } from "./result.js";

/** The form of a kept run in lists, on the command line and over HTTP. */
export interface DescribedRun {
  readonly run_id: string;
  readonly graph_name: string;
  readonly sheet: string | null;
  readonly version: string | null;
  readonly status: string;
  readonly key: string | null;
  readonly started_by: string | null;
  readonly created_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly due_at: string | null;
  readonly deadline_at: string | null;
  readonly suspended_at: string | null;
  readonly recoveries: number;
  readonly held: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly node: string | null } | null;
  readonly waiting: readonly DescribedWait[];
  /** Only of a fork. */
  readonly forked_from?: { readonly run_id: string; readonly at: string };
}

export interface DescribedWait {
  readonly node: string;
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly assignee: Json;
  readonly until: string | null;
}

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

export const hasEnded = ({ status }: Pick<RunRow, "status">): boolean => ENDED.has(status);

/** `result` is what the run ended with; without it the message of an error is not known. */
export function describeRun(
  run: RunRow,
  waits: readonly WaitRow[],
  result: WorkflowResult | null = null,
): DescribedRun {
  return {
    run_id: run.runId,
    graph_name: run.graph,
    sheet: run.sheet,
    version: run.version,
    status: run.status,
    key: run.key,
    started_by: run.startedBy,
    created_at: isoOf(run.created),
    started_at: isoOf(run.started),
    ended_at: isoOf(run.ended),
    due_at: ENDED.has(run.status) ? null : isoOf(run.due),
    deadline_at: isoOf(run.deadline),
    suspended_at: run.status === "waiting" ? isoOf(run.suspended) : null,
    recoveries: run.recoveries,
    held: run.held,
    error: errorOf(run, result),
    waiting: waits.filter(({ ending }) => ending === null && !ENDED.has(run.status)).map(describeWait),
    ...(run.parent === null ? {} : { forked_from: { run_id: run.parent.runId, at: run.parent.at } }),
  };
}

function errorOf({ errorCode }: RunRow, result: WorkflowResult | null): DescribedRun["error"] {
  const known = errorCode === "cancelled" ? "the run was cancelled" : "";
  const { code, message, node } = result?.error ?? { code: errorCode, message: known, node: null };
  return code === null ? null : { code, message, node };
}

function describeWait({ waiting, about, until }: WaitRow): DescribedWait {
  const { node, field, prompt, options } = waiting;
  const { assignees = null } = (about ?? {}) as { readonly assignees?: Json };
  return {
    ...{ node, field: field ?? null, prompt, options: options ?? null },
    assignee: assignees,
    until: isoOf(until),
  };
}

/** What an ended run adds: the keys of `run --json` that a list does not have. */
export function describeEnd(result: WorkflowResult): object {
  const { state, path, steps, duration_ms, error } = describeResult(result) as { [key: string]: unknown };
  return { state, path, steps, duration_ms, error };
}

/** The same without values. */
export function describeWay(result: WorkflowResult): object {
  const { path, steps, duration_ms, error } = describeOutcome(result) as { [key: string]: unknown };
  return { path, steps, duration_ms, error };
}

export interface DescribedVisit {
  readonly n: number;
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
  readonly attempt: number;
  readonly began_at: string | null;
  readonly ms: number;
  readonly outcome: string;
  readonly inputs: Json;
  readonly prompt: Json;
  /** JSON pointers to inputs and prompts of which only the beginning is kept, as text. */
  readonly cut: readonly string[];
  readonly writes: Json;
  readonly error: string | null;
  /** Who gave the answer that the visit went on with, and when. */
  readonly answered_by: string | null;
  readonly answered_at: string | null;
  /** Only of a visit whose question is open. */
  readonly asks?: DescribedQuestion;
}

/** What lists do not say of a question. */
export interface DescribedQuestion {
  /** What `human` asks for, which takes a comment, too; null for a plain value. */
  readonly interaction: WaitSpec["interaction"] | null;
  readonly opened_at: string | null;
  readonly remind_at: string | null;
  /** Then more people are asked. */
  readonly escalate_at: string | null;
}

/**
 * Calls with what became of their questions. Nothing more is recorded of a visit that nobody answered in time when its
 * node threw, nor of one that still waited when the run ended.
 */
export function withEnds(
  { ended }: Pick<RunRow, "ended">,
  steps: readonly StepRow[],
  waits: readonly WaitRow[],
): readonly StepRow[] {
  const asked = new Map(waits.map((wait) => [wait.id, wait]));
  return steps.map((step) => {
    const wait = step.outcome === "waiting" ? asked.get(step.id) : undefined;
    if (wait === undefined) return step;
    const { ending, opened, until, endedAt, spec } = wait;
    if (isGoneWait(wait) || (ending === null && ended !== null))
      return { ...step, outcome: "stopped", ended: endedAt ?? ended ?? step.ended };
    if (ending?.kind !== "over" || spec.fallback !== undefined || endedAt === null) return step;
    const error = `no answer within ${(until ?? endedAt) - opened} ms`;
    return { ...step, outcome: "thrown", error, ended: endedAt };
  });
}

/** The last answer that the visit of a call got. */
export const answerTo = (id: string, waits: readonly WaitRow[]): WaitRow | undefined =>
  endedWaitOf(id, waits, "answer");

/** The last wait of the visit of a call that ended so. */
export const endedWaitOf = (
  id: string,
  waits: readonly WaitRow[],
  kind: WaitEnding["kind"],
): WaitRow | undefined =>
  waits.findLast((wait) => wait.ending?.kind === kind && visitIdOf(wait.id) === visitIdOf(id));

/** What a visit has seen, as it is kept. */
export function seenOf({ seen }: Pick<StepRow, "seen">): Pick<DescribedVisit, "inputs" | "prompt" | "cut"> {
  const {
    inputs = null,
    prompt = null,
    cut = [],
  } = (seen ?? {}) as unknown as Partial<Pick<DescribedVisit, "inputs" | "prompt" | "cut">>;
  return { inputs, prompt, cut };
}

export function describeVisits(
  steps: readonly StepRow[],
  waits: readonly WaitRow[],
): readonly DescribedVisit[] {
  return steps.map((step) => {
    const answer = step.outcome === "waiting" ? undefined : answerTo(step.id, waits);
    const { inputs, prompt, cut } = seenOf(step);
    const open = waits.find(({ id, ending }) => id === step.id && ending === null);
    return {
      n: step.seq,
      node: step.node,
      visit: step.visit,
      branch: step.branch,
      attempt: step.attempt,
      began_at: isoOf(step.began),
      ms: Math.max(0, step.ended - step.began),
      outcome: step.outcome,
      ...{ inputs, prompt, cut, writes: step.writes, error: step.error },
      answered_by: answer?.answeredBy ?? null,
      answered_at: isoOf(answer?.endedAt ?? null),
      ...(step.outcome === "waiting" && open !== undefined ? { asks: describeQuestion(open) } : {}),
    };
  });
}

const describeQuestion = ({ spec, opened, remindAt, escalateAt }: WaitRow): DescribedQuestion => ({
  interaction: spec.interaction ?? null,
  opened_at: isoOf(opened),
  remind_at: isoOf(remindAt),
  escalate_at: isoOf(escalateAt),
});
