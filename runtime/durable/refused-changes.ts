import { isEnded } from "./kept-result.js";
import type { Row } from "./read-rows.js";
import type { GivenAnswers, RunRow } from "./rows.js";
import type { Again, Answered } from "./store.js";
import { StoreError } from "./store-error.js";

export function checkCancel(run: RunRow): void {
  if (isEnded(run)) throw new StoreError("run_not_open", `the run ${run.runId} has ended: ${run.status}`);
}

export function checkRetry(
  { runId, status, epoch }: RunRow,
  { was }: Pick<Again, "was">,
  isErased: boolean,
): void {
  if (status === "completed") throw new StoreError("run_completed", `the run ${runId} is completed`);
  if (status === "queued" || status === "waiting" || status === "running")
    throw new StoreError("run_not_ended", `the run ${runId} has not ended: ${status}`);
  if (isErased)
    throw new StoreError("run_erased", `the values of the run ${runId} were erased when it ended`, {
      help: "start it anew: nothing is left that it could go on with",
    });
  // What it has recorded since is not to be forgotten.
  if (was !== undefined && (was.epoch !== epoch || was.status !== status))
    throw new StoreError("run_not_ended", `the run ${runId} has gone on meanwhile`);
}

/** The open wait of a node. `isMine`: this very answer has been taken before. */
export interface OpenWait {
  readonly id: string;
  readonly isMine: boolean;
}

export type NoWait = Exclude<Answered, { readonly kind: "taken" | "unknown_run" }>;

/** Whether a wait takes an answer, or why it does not. Of its ending the row has the kind alone. */
export function openWait(
  run: RunRow,
  wait: Row | null,
  { node, token, at }: Pick<GivenAnswers, "token" | "at"> & { readonly node: string },
): OpenWait | NoWait {
  if (wait === null) return { kind: "not_waiting", node };
  const id = String(wait["id"]);
  if (wait["token"] === token) return { id, isMine: true };
  if (wait["ending"] === "answer") return { kind: "already_answered", node };
  if (wait["ending"] !== null || isEnded(run)) return { kind: "already_ended", node };
  // Its time is over, although no worker has come to it yet.
  const until = Math.min(Number(wait["until_at"] ?? at + 1), run.deadline ?? at + 1);
  return until <= at ? { kind: "already_ended", node } : { id, isMine: false };
}
