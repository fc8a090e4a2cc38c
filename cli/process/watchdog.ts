import { closeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { STUCK, type Stuck, type WatchOrder } from "./stuck.js";

export interface Watching {
  /** After this time the main thread must be able to act. */
  readonly timeoutMs: number | null;
  readonly cwd: string;
  /**
   * Called inside of the endless code, with its place when that is known. Returns the exit code.
   * It must be synchronous, because the event loop is blocked.
   */
  readonly onStuck: (why: Stuck, place: string | null) => number;
}

/**
 * An endless loop of an agent blocks the event loop, so the main thread misses Ctrl-C and time-outs.
 * A worker thread then pauses it with the debugger, and the process ends.
 * Returns a function to call when the command is done. The thread starts in parallel, in some milliseconds.
 */
export function startWatchdog({ timeoutMs, cwd, onStuck }: Watching): () => void {
  const shared = globalThis as { [key: symbol]: unknown };
  shared[Symbol.for(STUCK)] = (why: Stuck, place: string | null): void => {
    const code = onStuck(why, place);
    // Node would write to stderr that it waits for the debugger.
    closeSync(2);
    process.exit(code);
  };
  const workerData: WatchOrder = { timeoutMs, files: `${pathToFileURL(cwd).href}/` };
  // Relative to the bundle that holds this file: dist/chunks.
  const worker = new Worker(new URL("../cli/process/stuck-watch.js", import.meta.url), {
    workerData,
    execArgv: ["--no-deprecation"],
  });
  worker.on("message", () => worker.postMessage("here"));
  // The command works without the watchdog, too.
  worker.on("error", () => {});
  worker.unref();
  return () => worker.postMessage("done");
}
