import { onTestFinished } from "vitest";
import { type Ended, flowsheet } from "../cli/run.js";

const never = (): (() => void) => () => {};

/** `flowsheet work` inside of this process. `stop` is the signal that ends it, and comes with the test at the latest. */
export function beginWork(cwd: string, ...more: string[]): { readonly stop: () => Promise<Ended> } {
  let end = (): void => {};
  const ended = flowsheet(["work", ...more], {
    cwd,
    events: {
      onInterrupt: never,
      onTerminate: (listener) => {
        end = listener;
        return () => {};
      },
      onHangup: never,
      onStray: never,
      onIdle: never,
      onQuit: never,
      keepChildrenOffStdout: async () => {},
      watchThread: async () => () => {},
    },
  });
  const stop = async (): Promise<Ended> => {
    // It listens as soon as it is at work.
    const ending = setInterval(() => end(), 10);
    return ended.finally(() => clearInterval(ending));
  };
  onTestFinished(async () => void (await stop()));
  return { stop };
}
