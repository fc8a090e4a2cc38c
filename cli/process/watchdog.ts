import { closeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** The reason to end a stuck main thread: Ctrl-C, the time-out of the run, or the end of the command. */
export type Stuck = "interrupt" | "timeout" | "done";

/** What the worker thread is told. */
export interface WatchOrder {
  readonly timeoutMs: number | null;
  /** The URL of the working folder, with a slash at its end. */
  readonly files: string;
  /** The key of the symbol under which the main thread keeps the function that ends it. */
  readonly key: string;
}

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
  const key = "flowsheet.stuck";
  const shared = globalThis as { [key: symbol]: unknown };
  shared[Symbol.for(key)] = (why: Stuck, place: string | null): void => {
    const code = onStuck(why, place);
    // Node would write to stderr that it waits for the debugger.
    closeSync(2);
    process.exit(code);
  };
  const workerData: WatchOrder = { timeoutMs, files: `${pathToFileURL(cwd).href}/`, key };
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
