import { closeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { STUCK, type Stuck, type WatchOrder } from "./stuck.js";

export interface Watching {
  /** After so many milliseconds the main thread must be able to act. */
  readonly timeoutMs: number | null;
  readonly cwd: string;
  /**
   * Called in the midst of code that does not come to an end, with its place where that is known. Says what is to
   * be said, and gives the exit code; it cannot wait for anything.
   */
  readonly onStuck: (why: Stuck, place: string | null) => number;
}

/**
 * Watches over the main thread from another one. Code that never pauses (an endless loop of an agent) keeps the main
 * thread from noticing Ctrl-C and time-outs: then it is stopped like by a debugger, and the process ends. Gives a
 * function to call when the command is done. The thread takes some milliseconds to start, beside the main one.
 */
export function startWatchdog({ timeoutMs, cwd, onStuck }: Watching): () => void {
  const shared = globalThis as { [key: symbol]: unknown };
  shared[Symbol.for(STUCK)] = (why: Stuck, place: string | null): void => {
    const code = onStuck(why, place);
    // Node would say there that it waits for the debugger.
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
  // Without the thread nothing but the watch is lost.
  worker.on("error", () => {});
  worker.unref();
  return () => worker.postMessage("done");
}
