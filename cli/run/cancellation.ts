import type { Place } from "../../compiler/ir.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import { LET_GO } from "../../runtime/runs/let-go.js";
import { placed, type WorkflowResult } from "../../runtime/runs/result.js";
import type { Context } from "../process/context.js";
import type { Asker } from "./ask.js";

/** Ends a run from outside. */
export interface Cancellation {
  readonly signal: AbortSignal;
  readonly isInterrupted: () => boolean;
  /** Resolves when it is known what Ctrl-C means for the run, at once without one: true when it is cancelled. */
  readonly decided: () => Promise<boolean>;
  /** The result, with the true reason for its end. */
  readonly told: (result: WorkflowResult, placeOf: (node: string) => Place | null) => WorkflowResult;
  readonly end: () => void;
}

interface Kept {
  /** Ctrl-C leaves the run to others in place of cancelling it. */
  readonly keeps: boolean;
  /** Asks which of the two is meant; null when there is nobody to ask. */
  readonly asker: Asker | null;
}

/**
 * Ctrl-C cancels a run, or leaves one that is kept to others, as whoever is there wants it. An empty event loop cancels
 * it. Unhandled errors of agents are reported and change nothing, also after the run.
 */
export function createCancellation(
  { events, note, fail }: Context,
  { keeps, asker }: Kept = { keeps: false, asker: null },
): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  let interrupted = false;
  let stuck = false;
  const stop = (): void => controller.abort(keeps ? LET_GO : undefined);
  const interrupt = (): void => {
    interrupted = true;
    if (!keeps || asker === null) {
      stop();
      return;
    }
    // Once more is an answer, too.
    off.push(events.onInterrupt(stop));
    void asker
      .choose("Ctrl-C", "stop leaves the run to others, cancel ends it", ["stop", "cancel"], signal)
      .then((word) => (word === "cancel" ? controller.abort() : stop()), stop);
  };
  events.onStray((thrown) => note(`something failed that no node waits for: ${messageOf(thrown)}`));
  const off = [
    events.onInterrupt(interrupt),
    events.onQuit(() => fail("an agent ended the process: nothing is known of what it did not finish")),
    events.onIdle(() => {
      stuck = true;
      controller.abort();
    }),
  ];
  return {
    signal,
    isInterrupted: () => interrupted,
    decided: async () => {
      if (interrupted && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return signal.aborted && signal.reason !== LET_GO;
    },
    told: (result, placeOf) => inTrueWords(result, placeOf, stuck, interrupted && !keeps),
    end: () => {
      for (const remove of off) remove();
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
