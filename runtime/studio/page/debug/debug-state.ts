import { computed, signal } from "@preact/signals";
import type { Question } from "../run/run-state.js";
import { workflowName } from "../run/workflow-name.js";
import { graph, opened, session } from "../state.js";

/** A node that the run has stopped before, with what it would get. */
export interface Stop {
  readonly node: string;
  readonly graph: string;
  readonly visit: number;
  readonly inputs: unknown;
  readonly prompt: unknown;
  readonly state: { readonly [field: string]: unknown };
}

/** A run that is led step by step. */
export interface Debugging {
  readonly sheet: string;
  readonly graph: string;
  /** Null until the server has begun it. */
  readonly id: string | null;
  /** Null while nodes are at work. */
  readonly stop: Stop | null;
  /** What a node asks. */
  readonly asked: Question | null;
  /** What was refused last. */
  readonly said: string;
}

export const debugging = signal<Debugging | null>(null);

/** The one of the graph that is looked at. */
export const debuggingHere = computed<Debugging | null>(() => {
  const now = debugging.value;
  return now?.sheet === opened.value?.name && now?.graph === graph.value?.name ? now : null;
});

export const mayDebug = (): boolean =>
  session.value?.features.debug === true && session.value.can.includes("execute");

/** Nodes to stop before: the workflow and the node's name. */
const breaks = signal<ReadonlySet<string>>(new Set());

const keyOf = (node: string): string => `${workflowName()}\n${node}`;

export const hasBreak = (node: string): boolean => breaks.value.has(keyOf(node));

/** The nodes of the graph that is looked at before which a run stops. */
export const breaksHere = (): readonly string[] =>
  (graph.value?.nodes ?? []).map(({ name }) => name).filter(hasBreak);

/** True when there is one afterwards. */
export function turnBreak(node: string): boolean {
  const next = new Set(breaks.value);
  const isThere = next.delete(keyOf(node));
  if (!isThere) next.add(keyOf(node));
  breaks.value = next;
  return !isThere;
}
