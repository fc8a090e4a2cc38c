import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { Context } from "../process/context.js";

/** What can stop a run from outside. */
export interface Leash {
  readonly signal: AbortSignal;
  readonly isInterrupted: () => boolean;
  /** Nothing is left that could end a visit: its agent never will. */
  readonly isStuck: () => boolean;
  readonly end: () => void;
}

/**
 * Holds a run: Ctrl-C cancels it, and so does it when nothing is left that could go on. What agents drop (a promise
 * that fails unseen, a timer that throws) is told and changes nothing, also after the run.
 */
export function createLeash({ happenings, note, fail }: Context): Leash {
  const controller = new AbortController();
  let interrupted = false;
  let stuck = false;
  happenings.onStray((thrown) => note(`something failed that no node waits for: ${messageOf(thrown)}`));
  const off = [
    happenings.onInterrupt(() => {
      interrupted = true;
      controller.abort();
    }),
    happenings.onQuit(() => fail("an agent ended the process: nothing is known of what it did not finish")),
    happenings.onIdle(() => {
      stuck = true;
      controller.abort();
    }),
  ];
  return {
    signal: controller.signal,
    isInterrupted: () => interrupted,
    isStuck: () => stuck,
    end: () => {
      for (const stop of off) stop();
    },
  };
}
