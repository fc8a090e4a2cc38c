import { server } from "../connection/present.js";
import { timeOf } from "../counted-time.js";
import type { Question, Run, RunStatus, Step } from "./run-state.js";
import { keyOf } from "./told.js";

export type KeptStatus = "queued" | "running" | "waiting" | "stuck" | "completed" | "failed" | "cancelled";

export interface Waiting extends Question {
  readonly assignee: readonly string[] | null;
  readonly until: string | null;
}

/** A run as lists tell it. */
export interface RunSummary {
  readonly run_id: string;
  readonly graph_name: string;
  /** Null for a generated module without its sheet. */
  readonly sheet: string | null;
  readonly sheet_gone?: true;
  readonly version: string | null;
  readonly status: KeptStatus;
  readonly started_by: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly suspended_at: string | null;
  /** Why it cannot go on at present. */
  readonly held: string | null;
  readonly error: RunError | null;
  readonly waiting: readonly Waiting[];
  readonly forked_from?: { readonly run_id: string; readonly at: string };
}

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly node: string | null;
  readonly line?: number | null;
  readonly cell?: string | null;
}

interface Visit {
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
  readonly began_at: string;
  readonly ms: number;
  readonly outcome: string;
  readonly inputs: unknown;
  readonly prompt: unknown;
  readonly writes: unknown;
  readonly error: string | null;
  readonly answered_by: string | null;
  readonly answered_at: string | null;
  readonly asks?: Asks;
}

export interface Asks {
  readonly interaction: string | null;
  readonly opened_at: string;
  readonly remind_at: string | null;
  readonly escalate_at: string | null;
}

/** A run with its visits. */
export interface RunRecord extends RunSummary {
  readonly visits?: readonly Visit[];
  /** There are more visits. */
  readonly next_cursor?: string | null;
  readonly duration_ms?: number;
  readonly path?: readonly string[];
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  readonly next_cursor: string | null;
  readonly total: number | null;
  readonly counts: { readonly [status in KeptStatus]: number };
}

export const listRuns = (query: { readonly [name: string]: string }): Promise<RunPage> =>
  read(`../runs?${new URLSearchParams(query)}`);

export const readRun = (id: string, include: "steps" | "questions"): Promise<RunRecord> =>
  read(`../runs/${encodeURIComponent(id)}?include=${include}`);

async function read<T>(path: string): Promise<T> {
  const response = await server().ask(path);
  return (await response.json()) as T;
}

/** Cancels, retries or forks a run; gives the run that it then is about. */
export async function changeRun(
  id: string,
  does: "cancel" | "retry" | "fork",
  body: object | null = null,
): Promise<RunSummary> {
  const sent =
    body === null ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await server().ask(`../runs/${encodeURIComponent(id)}/${does}`, {
    method: "POST",
    ...sent,
  });
  return (await response.json()) as RunSummary;
}

/** The record in the form of a run that is followed. */
export function runOf(record: RunRecord): Run {
  const { run_id: id, graph_name: graph, sheet, status, error, duration_ms = null, visits = [] } = record;
  const began = timeOf(record.created_at) ?? 0;
  return {
    ...{ id, graph, sheet: sheet ?? "", status: statusOf(status), durationMs: duration_ms },
    tookMs: tookOf(record),
    steps: stepsOf(visits, began),
    questions: questionsOf(record),
    errors: error === null ? [] : [error.message || error.code],
  };
}

/** From its beginning to its end; null for a run that has not ended. */
export function tookOf({ started_at, created_at, ended_at }: RunSummary): number | null {
  const [began, ended] = [timeOf(started_at ?? created_at), timeOf(ended_at)];
  return began === null || ended === null ? null : ended - began;
}

export const statusOf = (status: KeptStatus): RunStatus => (status === "waiting" ? "suspended" : status);

/** What waits, with what only its visit tells. */
export function questionsOf({ waiting, visits = [] }: RunRecord): readonly Waiting[] {
  return waiting.map((one) => {
    const asks = visits.find(({ node, asks }) => asks !== undefined && node === one.node)?.asks;
    return { ...one, takesComment: typeof asks?.interaction === "string" };
  });
}

/** A visit is recorded with each attempt, and again when it has its answer: together they are one step. */
function stepsOf(visits: readonly Visit[], began: number): readonly Step[] {
  const steps = new Map<string, Step>();
  for (const visit of visits) {
    const step = stepOf(visit, began);
    const first = steps.get(step.key);
    const { atMs = step.atMs, attempts = 0, outcome } = first ?? {};
    const tries = attempts + (outcome === "waiting" ? 0 : 1);
    const ms = step.ms === null ? null : step.atMs + step.ms - atMs;
    steps.set(step.key, { ...step, atMs, ms, attempts: tries });
  }
  return [...steps.values()];
}

function stepOf(visit: Visit, began: number): Step {
  const { node, ms, outcome, inputs, prompt, writes, error, answered_by: by, answered_at: at } = visit;
  return {
    ...{ key: keyOf(visit), node, visit: visit.visit, inputs, prompt, writes, error },
    outcome: outcome === "running" ? null : outcome,
    ms: outcome === "waiting" ? null : ms,
    atMs: Math.max(0, (timeOf(visit.began_at) ?? began) - began),
    answered: at === null ? null : { by, at },
    attempts: 1,
  };
}
