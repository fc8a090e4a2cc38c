import { computed, signal } from "@preact/signals";
import { graph, opened } from "../state.js";

/** A visit of a node, as the run tells it. */
export interface Step {
  readonly key: string;
  readonly node: string;
  readonly atMs: number;
  readonly ms: number | null;
  /** Null while the node is at work. */
  readonly outcome: string | null;
  readonly error: string | null;
  readonly inputs: unknown;
  readonly prompt: unknown;
  readonly writes: unknown;
}

export interface Question {
  readonly node: string;
  readonly prompt: string;
  readonly options: readonly string[] | null;
}

export interface Run {
  readonly sheet: string;
  readonly graph: string;
  /** Null until the run has begun. */
  readonly id: string | null;
  readonly status: "running" | "suspended" | "completed" | "failed" | "cancelled" | "refused";
  readonly steps: readonly Step[];
  readonly questions: readonly Question[];
  /** Why it did not begin, or why it failed. */
  readonly errors: readonly string[];
  readonly durationMs: number | null;
}

/** The last run that was begun here. */
export const lastRun = signal<Run | null>(null);
export const chosenStep = signal<string | null>(null);

/** What the form is to do as soon as it knows its fields; null for nothing. */
export const wanted = signal<"begin" | "run" | null>(null);

/** The run of the graph that is looked at. */
export const run = computed<Run | null>(() => {
  const last = lastRun.value;
  const isHere = last?.sheet === opened.value?.name && last?.graph === graph.value?.name;
  return isHere ? last : null;
});

export type Mark = "done" | "waits" | "failed" | "running";

export function markOf({ outcome }: Step): Mark {
  if (outcome === null) return "running";
  if (outcome === "waiting") return "waits";
  return outcome === "failure" ? "failed" : "done";
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
