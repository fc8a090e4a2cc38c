import { findVisit } from "./find-visit.js";
import type { FullRun, Parent, StepRow, WaitRow } from "./rows.js";
import { StoreError } from "./store-error.js";

/** The journal that a fork begins with. */
export interface Forked {
  readonly parent: Parent;
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
}

/** What was recorded before a visit: the last one of a node, or `Node#2`. */
export function forkOf({ runId }: FullRun, journal: Pick<Forked, "steps" | "waits">, from: string): Forked {
  const visit = findVisit(journal.steps, from);
  if (visit === null)
    throw new StoreError("input_invalid", `the run ${runId} has no visit of ${JSON.stringify(from)}`);
  const steps = journal.steps.filter(({ seq }) => seq < visit.seq);
  // Only a run whose values were deleted has calls without a result.
  if (steps.some(({ pure, result }) => !pure && result === null))
    throw new StoreError("input_invalid", `the values of the run ${runId} were deleted when it ended`);
  const isBefore = ({ id, seq }: WaitRow): boolean => seq < visit.seq && !id.startsWith(visit.id);
  return {
    parent: { runId, at: `${visit.node}#${visit.visit}` },
    steps,
    waits: journal.waits.filter(isBefore),
  };
}

/** A key that began something else begins no fork. */
export const isSameFork = (run: FullRun, { parent }: Forked): boolean =>
  run.parent?.runId === parent.runId && run.parent.at === parent.at;
