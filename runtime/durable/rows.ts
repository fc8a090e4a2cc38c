/** Rows of a store of runs. Times are milliseconds since 1970. This file holds no code. */

import type { Answers, Json, StateData, WaitingFor, WaitSpec } from "../graph/contract/contract.js";

export type OpenStatus = "queued" | "running" | "waiting" | "stuck";
export type EndStatus = "completed" | "failed" | "cancelled";
export type RunStatus = OpenStatus | EndStatus;

/** A run as it is started. */
export interface NewRun {
  readonly runId: string;
  readonly graph: string;
  /** Relative to the project's folder; null for standard input and for graphs of code. */
  readonly sheet: string | null;
  readonly version: string;
  /** The number of the contract of step ids. Workers of another one leave the run alone. */
  readonly contract: number;
  readonly given: StateData;
  /** The limits and other settings of the start, for the executor alone. */
  readonly options: Json;
  /** At most one run for a key, a graph and a user. */
  readonly key: string | null;
  readonly userId: string | null;
  /** The credential or system user that started it, for showing. */
  readonly startedBy: string | null;
  readonly parent: Parent | null;
  /** Searched by `q`: id, graph and given scalars, redacted. */
  readonly words: string;
  readonly created: number;
  readonly due: number;
  readonly deadline: number | null;
}

/** The run that a fork comes from. */
export interface Parent {
  readonly runId: string;
  readonly at: string;
}

/** What lists show of a run: everything but its values. */
export interface RunRow extends Omit<NewRun, "given" | "options" | "words"> {
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly epoch: number;
  /** All deaths of its workers. */
  readonly recoveries: number;
  /** When it was first claimed. */
  readonly started: number | null;
  readonly ended: number | null;
  readonly suspended: number | null;
  /** Why no worker here can go on with it. */
  readonly held: string | null;
  readonly errorCode: string | null;
  /** Milliseconds at work, up to the end of the last leg that ended in order. */
  readonly worked: number;
}

export interface FullRun extends RunRow {
  readonly given: StateData;
  readonly options: Json;
  /** What the last leg came to, also of a run that waits. Null before, and after erasing. */
  readonly result: Json;
  /** Its values were deleted when it ended. */
  readonly isErased: boolean;
}

/** A claim: only its holder may write to the run. */
export interface Lease {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A recorded call, or the visit of a pure agent or of a sub-graph, which is shown and never replayed from. */
export interface StepRow {
  readonly id: string;
  /** Counts from 1 without gaps. */
  readonly seq: number;
  readonly pure: boolean;
  /** The whole name: `Call/Ask`, `Each[2]/Ask`. */
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
  /** The index of the branch in each split around it, outermost first. */
  readonly branch: readonly number[];
  readonly began: number;
  readonly ended: number;
  readonly outcome: string;
  /** The journal's own form; null for what is pure, and after erasing. */
  readonly result: Json;
  /** Inputs and prompt, redacted, and what of them is cut. Null when they are not kept, and after erasing. */
  readonly seen: Json;
  readonly writes: Json;
  readonly error: string | null;
  /** Milliseconds at work until this record. */
  readonly worked: number;
}

export type WaitEnding =
  | { readonly kind: "answer"; readonly answer: Json }
  /** `gone`: the branch that asked was stopped. The question counts as open when a replay comes to it again. */
  | { readonly kind: "over"; readonly gone?: true };

export const isGoneWait = ({ ending }: Pick<WaitRow, "ending">): boolean =>
  ending?.kind === "over" && ending.gone === true;

export interface NewWait {
  readonly id: string;
  /** How many steps were recorded before. */
  readonly seq: number;
  readonly waiting: WaitingFor;
  /** What answers are checked against. */
  readonly spec: WaitSpec;
  /** Who may answer, and other settings of the wait. */
  readonly about: Json;
  readonly opened: number;
  readonly until: number | null;
  readonly remindAt: number | null;
  readonly escalateAt: number | null;
}

export interface WaitRow extends NewWait {
  readonly ending: WaitEnding | null;
  readonly answeredBy: string | null;
  readonly endedAt: number | null;
}

/** An event as it is told. The store numbers them from 1 without gaps. */
export interface NewEvent {
  readonly at: number;
  readonly type: string;
  readonly event: Json;
}

export interface EventRow extends NewEvent {
  readonly n: number;
}

/** A version of a graph, with all texts that understanding it read. */
export interface VersionRow {
  readonly version: string;
  readonly graph: string;
  readonly sheet: string | null;
  readonly contract: number;
  readonly texts: Json;
  readonly seen: number;
}

export interface WorkerRow {
  readonly owner: string;
  readonly seen: number;
  readonly concurrency: number;
}

export interface ScheduleRow {
  readonly name: string;
  /** A hash of what the schedule says. Workers with different ones under one name go on beside each other. */
  readonly fingerprint: string;
  readonly next: number;
  readonly paused: boolean;
}

/** Everything that is kept of one run. */
export interface RunCopy {
  readonly run: FullRun & { readonly words: string };
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
  readonly events: readonly EventRow[];
}

export interface GivenAnswers {
  readonly answers: Answers;
  /** The ids of the waits that are answered, by node; without them, the open ones. */
  readonly waits?: { readonly [node: string]: string };
  readonly by: string | null;
  readonly at: number;
  /** The same one again is no second answer. */
  readonly token: string;
  readonly events: readonly NewEvent[];
}
