import type { Place } from "../../compiler/ir.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import { LET_GO } from "../../runtime/runs/let-go.js";
import { placed, type WorkflowResult } from "../../runtime/runs/result.js";
import type { Context } from "../process/context.js";

/** Ends a run from outside. */
export interface Cancellation {
  readonly signal: AbortSignal;
  readonly isInterrupted: () => boolean;
  /** The result, with the true reason for its end. */
  readonly told: (result: WorkflowResult, placeOf: (node: string) => Place | null) => WorkflowResult;
  readonly end: () => void;
}

/**
 * Ctrl-C cancels a run, or leaves one that is kept to others. An empty event loop cancels it.
 * Unhandled errors of agents are reported and change nothing, also after the run.
 */
export function createCancellation({ events, note, fail }: Context, keeps = false): Cancellation {
  const controller = new AbortController();
  let interrupted = false;
  let stuck = false;
  events.onStray((thrown) => note(`something failed that no node waits for: ${messageOf(thrown)}`));
  const off = [
    events.onInterrupt(() => {
      interrupted = true;
      controller.abort(keeps ? LET_GO : undefined);
    }),
    events.onQuit(() => fail("an agent ended the process: nothing is known of what it did not finish")),
    events.onIdle(() => {
      stuck = true;
      controller.abort();
    }),
  ];
  return {
    signal: controller.signal,
    isInterrupted: () => interrupted,
    told: (result, placeOf) => inTrueWords(result, placeOf, stuck, interrupted && !keeps),
    end: () => {
      for (const stop of off) stop();
    },
  };
}

/** The driver only knows that it was cancelled, so the true reason is put into the result. */
function inTrueWords(
  result: WorkflowResult,
  placeOf: (node: string) => Place | null,
  isStuck: boolean,
  isInterrupted: boolean,
): WorkflowResult {
  const { status, graph } = result;
  const node = result.error?.node ?? null;
  const at = { graph, node, ...placed(node, placeOf) };
  if (isStuck && status === "cancelled") {
    const message = "an agent never finished, and nothing is left that it could wait for";
    return { ...result, status: "failed", error: { code: "agent_failed", message, ...at } };
  }
  if (!isInterrupted || status !== "suspended") return result;
  const error = { code: "cancelled", message: "the run was cancelled", ...at } as const;
  return { ...result, status: "cancelled", error, waiting: [] };
}
