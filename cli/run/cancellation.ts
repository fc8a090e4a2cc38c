import type { Result, StateData } from "../../runtime/graph/contract/contract.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { Context } from "../process/context.js";

/** What can end a run from outside. */
export interface Cancellation {
  readonly signal: AbortSignal;
  readonly isInterrupted: () => boolean;
  /** The result in words that are true of it. */
  readonly told: (result: Result<StateData>) => Result<StateData>;
  readonly end: () => void;
}

/**
 * Ctrl-C cancels a run, and so does it when nothing is left that could go on. What agents drop (a promise that fails
 * unseen, a timer that throws) is told and changes nothing, also after the run.
 */
export function createCancellation({ events, note, fail }: Context): Cancellation {
  const controller = new AbortController();
  let interrupted = false;
  let stuck = false;
  events.onStray((thrown) => note(`something failed that no node waits for: ${messageOf(thrown)}`));
  const off = [
    events.onInterrupt(() => {
      interrupted = true;
      controller.abort();
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
    told: (result) => inTrueWords(result, { isStuck: stuck, isInterrupted: interrupted }),
    end: () => {
      for (const stop of off) stop();
    },
  };
}

/** A run that was ended from outside, in words that are true of it. */
function inTrueWords(
  result: Result<StateData>,
  { isStuck, isInterrupted }: { readonly isStuck: boolean; readonly isInterrupted: boolean },
): Result<StateData> {
  const { status, graph } = result;
  const node = result.error?.node ?? null;
  if (isStuck && status === "cancelled") {
    const message = "an agent never finished, and nothing is left that it could wait for";
    return { ...result, status: "failed", error: { code: "agent_failed", message, graph, node } };
  }
  if (!isInterrupted || status !== "suspended") return result;
  const { checkpoint: _, ...rest } = result;
  const error = { code: "cancelled", message: "the run was cancelled", graph, node } as const;
  return { ...rest, status: "cancelled", error, waiting: [] };
}
