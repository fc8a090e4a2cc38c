import { computed, signal } from "@preact/signals";
import { graph, opened, place } from "../state.js";

/** A visit of a node, as the run tells it. */
export interface Step {
  readonly key: string;
  readonly node: string;
  readonly visit: number;
  readonly attempts: number;
  /** Since the run began. */
  readonly atMs: number;
  readonly ms: number | null;
  /** Null while the node is at work. */
  readonly outcome: string | null;
  readonly error: string | null;
  readonly inputs: unknown;
  readonly prompt: unknown;
  readonly writes: unknown;
  /** Who gave the answer that it went on with, and when. */
  readonly answered: { readonly by: string | null; readonly at: string } | null;
}

export interface Question {
  readonly node: string;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  /** An answer may bring a comment along. */
  readonly takesComment?: boolean;
  /** Why whoever looks may not answer. */
  readonly refused?: "not_assignee" | "starter_may_not_answer";
}

export type RunStatus =
  | "queued"
  | "running"
  | "suspended"
  | "stuck"
  | "completed"
  | "failed"
  | "cancelled"
  /** It did not begin. */
  | "refused";

export interface Run {
  readonly sheet: string;
  readonly graph: string;
  /** Null until the run has begun. */
  readonly id: string | null;
  readonly status: RunStatus;
  readonly steps: readonly Step[];
  readonly questions: readonly Question[];
  /** Why it did not begin, or why it failed. */
  readonly errors: readonly string[];
  /** At work. */
  readonly durationMs: number | null;
  /** From its beginning to its end, with all waits; null until it has ended. */
  readonly tookMs?: number | null;
}

/** The last run that was begun here. */
export const lastRun = signal<Run | null>(null);
/** The run that the screen of runs shows. */
export const shownRun = signal<Run | null>(null);
export const chosenStep = signal<string | null>(null);

/** What the form is to do as soon as it knows its fields; null for nothing. */
export const wanted = signal<"begin" | "run" | "begin step" | "step" | null>(null);

/** The run of the graph that is looked at. */
export const run = computed<Run | null>(() => {
  if (place.value.screen === "runs") return shownRun.value;
  const last = lastRun.value;
  const isHere = last?.sheet === opened.value?.name && last?.graph === graph.value?.name;
  return isHere ? last : null;
});

export type Mark = "done" | "waits" | "failed" | "running";

/** An outcome that is a failure may be a decision, which tells no error. */
export function markOf({ outcome, error }: Step): Mark {
  if (outcome === null) return "running";
  if (outcome === "waiting") return "waits";
  return outcome === "thrown" || (outcome === "failure" && error !== null) ? "failed" : "done";
}

/** What the run has made of rows, by record. */
export const marks = computed<ReadonlyMap<number, Mark>>(() => {
  const records = new Map(graph.value?.nodes.map(({ name, record }) => [name, record]));
  const found = new Map<number, Mark>();
  for (const step of run.value?.steps ?? []) {
    const record = records.get(step.node);
    if (record !== undefined) found.set(record, markOf(step));
  }
  return found;
});
