/** Types of waits and of suspended runs. This file holds no code. */

import type { FieldType, Json } from "../../../compiler/ir.js";
import type { Carrier } from "./carrier.js";
import type { EdgeKind } from "./graphs.js";
import type { Turn } from "./services.js";

/** A question that a node waits on. It is plain data, since it is stored with a suspended run. */
export interface WaitSpec {
  readonly prompt?: string | undefined;
  /** The answers to choose from. */
  readonly options?: readonly string[] | undefined;
  /** Asks for a judgement, which may have a comment. The answer is then a `Judgement`. */
  readonly interaction?: "approval" | "choice" | "text" | undefined;
  /** The type that the answer is converted to. Without it: the type of the only output, else text. */
  readonly type?: FieldType | undefined;
  /** The answer when the node's time-out ends the wait. Without it the node throws. */
  readonly fallback?: Json | undefined;
  /** The node waits for this time alone, and takes no answer. Then `fallback` is there. */
  readonly limitMs?: number | undefined;
  /** Workers remind of the question once in so many milliseconds, where runs are kept. */
  readonly remindMs?: number | undefined;
  /** Who may answer: users, and roles as `role:name`. Without it, whoever may answer at all. */
  readonly assignees?: readonly string[] | undefined;
  /** Whoever started the run may not answer. */
  readonly notStarter?: boolean | undefined;
  /** After this time these may answer, too. */
  readonly escalate?: { readonly afterMs: number; readonly assignees: readonly string[] } | undefined;
  /** The suspended runs of a sub-graph inside the node, when they are what waits. */
  readonly inside?: InsideData | undefined;
}

/** The suspended runs inside a node, and the results of the finished ones. */
export interface InsideData {
  readonly runs: readonly InnerRun[];
  readonly done: Json;
}

export interface InnerRun {
  /** The index of its item; null for a node that runs its graph once. */
  readonly index: number | null;
  readonly checkpoint: Checkpoint;
  readonly waiting: readonly WaitingFor[];
}

/** The answer to a wait that names its interaction. */
export interface Judgement {
  readonly answer: Json;
  readonly comment: string | null;
  /** Null when the interaction is no approval. */
  readonly approved: boolean | null;
}

export interface StateData {
  readonly [field: string]: Json;
}

/** A question of a suspended run. */
export interface WaitingFor {
  readonly node: string;
  /** The field that the answer fills, or null. */
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly type: FieldType | null;
}

export interface Answers {
  readonly [node: string]: Json;
}

export interface Checkpoint {
  readonly version: 1;
  readonly runId: string;
  readonly graph: string;
  readonly fingerprint: string;
  readonly steps: number;
  readonly durationMs: number;
  /** The values that the caller gave at the start. */
  readonly given: StateData;
  /** The number of visits so far, by node. */
  readonly visits: { readonly [node: string]: number };
  /** A line has ended right after a failure without a failure edge. */
  readonly unhandled?: true;
  /** The trace that the run belongs to. */
  readonly carrier?: Carrier;
  /** The run itself, then the branches of open splits, each after its parent. */
  readonly regions: readonly LineData[];
}

/** A node that a line reached, and whether over a failure edge. */
export interface Position {
  readonly node: string;
  readonly failure: boolean;
}

/** A line of a suspended run: the whole run, or one branch of a split. */
export interface LineData {
  /** The index of the parent line in the list; null for the run. */
  readonly parent: number | null;
  /** The whole state of the run, or the fields that the branch has written. */
  readonly state: StateData;
  readonly path: readonly string[];
  /** Nodes that wait for their turn. */
  readonly heads: readonly string[];
  /** The node that began the current stretch. */
  readonly start: string | null;
  /** The places where the branch has stopped so far. */
  readonly arrivals: readonly Position[];
  readonly asleep: AsleepData | null;
  /** The open split. */
  readonly split: { readonly node: string; readonly edge: EdgeKind } | null;
  /** The conversations of this line. */
  readonly memory?: { readonly [conversation: string]: readonly Turn[] };
}

export interface AsleepData {
  readonly node: string;
  readonly visit: number;
  /** The number of the attempt that waits; missing for the first. */
  readonly attempt?: number;
  readonly spec: WaitSpec;
  /** The end of the wait, in milliseconds since 1970; null without a limit. */
  readonly until: number | null;
}
