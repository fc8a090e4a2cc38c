import type { Carrier, StateData } from "../../graph/contract/contract.js";
import type { FullRun } from "../rows.js";

/** The limits that a run was started with. */
export interface KeptLimits {
  readonly maxSteps: number | null;
  readonly timeoutMs: number | null;
}

/** What a fork writes on the state in front of a visit. */
export interface SetValues {
  /** The id of the visit's first call. */
  readonly at: string;
  /** The whole name of its node. */
  readonly node: string;
  readonly visit: number;
  /** The number of the step that it was set behind. */
  readonly seq: number;
  readonly values: StateData;
}

/** What is kept of a start beside its values. */
export interface KeptOptions extends KeptLimits {
  readonly set?: readonly SetValues[];
  /** The trace that the start of the run belongs to. */
  readonly carrier?: Carrier;
}

export const optionsOf = ({ options }: Pick<FullRun, "options">): KeptOptions =>
  options as unknown as KeptOptions;

export const setsOf = (run: Pick<FullRun, "options">): ReadonlyMap<string, StateData> =>
  new Map(optionsOf(run).set?.map(({ at, values }) => [at, values]));
