/** What waits in a run, and what is kept of a run that is suspended: types only. */

import type { FieldType, Json } from "../../../compiler/ir.js";
import type { EdgeKind } from "./graphs.js";
import type { Turn } from "./services.js";

/** What a node waits for. All of it is plain data: it is stored with a suspended run. */
export interface WaitSpec {
  readonly prompt?: string | undefined;
  /** The answers to choose from. */
  readonly options?: readonly string[] | undefined;
  /** A judgement, which may come with a comment: the answer is then a `Judgement`. */
  readonly interaction?: "approval" | "choice" | "text" | undefined;
  /** What the answer is converted to; without one the type of the node's only output, else text as it is. */
  readonly type?: FieldType | undefined;
  /** The answer to go on with when the node's time-out ends the wait; without one the node throws. */
  readonly fallback?: Json | undefined;
  /** What waits is inside the node: suspended runs of a sub-graph. */
  readonly inside?: InsideData | undefined;
}

/** The suspended runs inside a node, and what has come of those that are over. */
export interface InsideData {
  readonly runs: readonly InnerRun[];
  readonly done: Json;
}

/** A suspended run of a sub-graph. */
export interface InnerRun {
  /** The item that it is for; null for a node that runs its graph once. */
  readonly index: number | null;
  readonly checkpoint: Checkpoint;
  readonly waiting: readonly WaitingFor[];
}

/** The answer to a wait that names its interaction. */
export interface Judgement {
  readonly answer: Json;
  readonly comment: string | null;
  /** Null unless it is an approval. */
  readonly approved: boolean | null;
}

export interface StateData {
  readonly [field: string]: Json;
}

/** What a suspended run waits for. */
export interface WaitingFor {
  readonly node: string;
  /** The field that the answer fills, or null. */
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
  readonly type: FieldType | null;
}

/** Answers by node name. */
export interface Answers {
  readonly [node: string]: Json;
}

/** A suspended run as plain JSON data. */
export interface Checkpoint {
  readonly version: 1;
  readonly runId: string;
  readonly graph: string;
  readonly fingerprint: string;
  readonly steps: number;
  readonly durationMs: number;
  /** What the caller gave when the run began. */
  readonly given: StateData;
  /** Visits so far, by node. */
  readonly visits: { readonly [node: string]: number };
  /** A line of the run has ended right after a failure that no edge took. */
  readonly unhandled?: true;
  /** The run itself first, then the branches of splits that are under way, each after the line it belongs to. */
  readonly regions: readonly LineData[];
}

/** A node that a line came to, and whether it came over a failure edge. */
export interface Position {
  readonly node: string;
  readonly failure: boolean;
}

/** One line of a suspended run: the whole run, or one branch of a split. */
export interface LineData {
  /** The place of the line it belongs to in the list; null for the run. */
  readonly parent: number | null;
  /** The whole state of the run, or what the branch has written. */
  readonly state: StateData;
  readonly path: readonly string[];
  /** Nodes that wait for their turn. */
  readonly heads: readonly string[];
  /** The node that began the current stretch. */
  readonly start: string | null;
  /** Where the branch stopped so far. */
  readonly arrivals: readonly Position[];
  readonly asleep: AsleepData | null;
  /** The split that is under way. */
  readonly split: { readonly node: string; readonly edge: EdgeKind } | null;
  /** What was said in this line, by conversation. */
  readonly memory?: { readonly [conversation: string]: readonly Turn[] };
}

/** A visit that waits. */
export interface AsleepData {
  readonly node: string;
  readonly visit: number;
  readonly spec: WaitSpec;
  /** When the wait is over, in milliseconds since 1970; null without a limit. */
  readonly until: number | null;
}
