import { Worker } from "node:worker_threads";
import { HttpProblem } from "../request/problem.js";

/** Resolves to the report as JSON. */
export type SheetThread = (bytes: Uint8Array, signal: AbortSignal) => Promise<string>;

const MEMORY_MB = 1_024;
/** An idle thread is kept for this time, because starting one is slow. */
const IDLE_MS = 30_000;

/** A worker thread that checks one sheet at a time. It starts with its first sheet, and stops after some idle time. */
export function createSheetThread(program: string, limitMs: number): SheetThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    void worker?.terminate();
    worker = null;
  };
  const begin = (): Worker => {
    const made = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    // Without a listener, an error of an idle thread would end the process.
    made.on("error", () => {});
    // A thread that has exited cannot be used again.
    made.on("exit", () => {
      if (worker === made) worker = null;
    });
    return made;
  };
  return async (bytes, signal) => {
    clearTimeout(idle);
    worker ??= begin();
    worker.ref();
    try {
      const report = await answerOf(worker, bytes, { signal, limitMs });
      worker?.unref();
      idle = setTimeout(end, IDLE_MS).unref();
      return report;
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** The answer of a thread. A thread that misses the time limit is terminated. */
function answerOf(
  worker: Worker,
  bytes: Uint8Array,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", gone);
      for (const [event, listener] of listeners) worker.off(event, listener);
      settled();
    };
    const fail = (error: unknown): void => settle(() => reject(error));
    const gone = (): void => fail(new HttpProblem("overloaded", { close: true }));
    const listeners = [
      ["message", (report: string) => settle(() => resolve(report))],
      ["error", (error: Error) => fail(isTooLarge(error) ? tooComplex() : error)],
      ["exit", () => fail(new Error("the thread that checks sheets has ended"))],
    ] as const;
    const timer = setTimeout(() => fail(tooComplex()), limitMs);
    for (const [event, listener] of listeners) worker.on(event, listener);
    signal.addEventListener("abort", gone);
    if (signal.aborted) gone();
    else worker.postMessage(bytes);
  });
}

const isTooLarge = (error: Error): boolean => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const tooComplex = (): HttpProblem => new HttpProblem("sheet_too_complex");
