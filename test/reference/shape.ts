import type { Fields } from "./script.js";
import type { Play, Rows } from "./sketch.js";

/** What must be true of one split. Names stand with spaces between; branches with `|`, in list order. */
export interface ExpectedSplit {
  /** The node and the column: `S next`, `S success`, `S failure`. */
  readonly at: string;
  readonly meet: string;
  readonly branches: string;
  /** Pairs of stops, such as `P Q`. */
  readonly ambiguous?: readonly string[];
  /** Field and its two writers, such as `x A B`. */
  readonly conflicts?: readonly string[];
}

/** A result of a run, or of a resume. */
export interface ExpectedResult {
  /** Nodes in path order, a node that waits among them. */
  readonly path: string;
  /** Default: completed. */
  readonly status?: "completed" | "failed" | "suspended";
  /** Some fields of the state. */
  readonly state?: Fields;
  /** Fields that must be absent. */
  readonly absent?: string;
  readonly waiting?: string;
  /** Code and node of the error, such as `agent_failed B`. */
  readonly error?: string;
}

export interface ExpectedRun extends Play {
  /** The run and then its resumes. One result may stand alone. */
  readonly results: readonly ExpectedResult[];
}

/** What must be true of the fields. */
export interface ExpectedFields {
  readonly required?: string;
  readonly optional?: string;
  /** Reads that are reported, such as `M.x`. */
  readonly maybeUnset?: string;
  readonly setAtEnd?: string;
  /** By node: what may be unset on arrival, `error` left out. */
  readonly before?: { readonly [node: string]: string };
}

/** A graph made by hand with what was worked out for it by hand. */
export interface Shape {
  readonly name: string;
  readonly rows: Rows;
  readonly splits: readonly ExpectedSplit[];
  readonly runs?: readonly ExpectedRun[];
  readonly fields?: ExpectedFields;
}
