import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { HttpProblem, tryLater } from "../request/problem.js";

export interface SheetRequest {
  /** The key for limits: callers take turns. */
  readonly caller: string;
  readonly bytes: Uint8Array;
  readonly draw?: SheetMessage["draw"];
  readonly signal: AbortSignal;
}

/** `draw`: a picture of one graph in place of the report. */
export interface SheetMessage {
  readonly bytes: Uint8Array;
  readonly draw: { readonly graph: string | null; readonly format: "mermaid" | "json" } | null;
}

interface SheetCheckOptions {
  readonly program: string;
  readonly limitMs: number;
  /** The number of parallel checks. One processor is left for answers. */
  readonly threads?: number;
}

export type SheetChecks = ReturnType<typeof createSheetChecks>;

/** The most waiting sheets of one caller. */
const MOST_OF_CALLER = 4;
/** The most waiting sheets of all callers. */
const MOST = 64;

const TOO_MANY = `one sheet of a caller is checked at a time, and ${MOST_OF_CALLER} more wait: send it again when one is done`;
const CROWDED = "too many sheets are waiting to be checked";

interface Job {
  readonly caller: string;
  readonly begin: (thread: SheetThread) => void;
}

/**
 * Checks sheets in worker threads, so that no sheet delays other requests: at most one of each caller at a time, and
 * callers take turns.
 */
export function createSheetChecks({ program, limitMs, threads = usualThreads() }: SheetCheckOptions) {
  const free = Array.from({ length: threads }, () => createSheetThread(program, limitMs));
  const busy = new Set<string>();
  let waiting: readonly Job[] = [];

  const admit = (caller: string): void => {
    const own = waiting.filter((job) => job.caller === caller).length;
    if (own >= MOST_OF_CALLER) throw tryLater("rate_limited", 2, TOO_MANY);
    if (waiting.length >= MOST) throw tryLater("overloaded", 2, CROWDED);
  };
  const beginNext = (): void => {
    const job = waiting.find(({ caller }) => !busy.has(caller));
    const thread = job === undefined ? undefined : free.pop();
    if (job === undefined || thread === undefined) return;
    const rest = waiting.filter((one) => one !== job);
    // The caller's next sheets go behind those of all others.
    const isOther = ({ caller }: Job): boolean => caller !== job.caller;
    waiting = [...rest.filter(isOther), ...rest.filter((one) => !isOther(one))];
    busy.add(job.caller);
    job.begin(thread);
    beginNext();
  };
  const enter = ({ caller, signal }: SheetRequest): Promise<SheetThread> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting = waiting.filter((one) => one !== job);
        reject(tryLater("overloaded", 2, CROWDED));
      };
      const begin = (thread: SheetThread): void => {
        signal.removeEventListener("abort", leave);
        resolve(thread);
      };
      const job = { caller, begin };
      waiting = [...waiting, job];
      signal.addEventListener("abort", leave);
      beginNext();
    });

  return {
    /** Throws when a caller has too many waiting sheets. */
    admit,
    /** Resolves to the report as JSON. */
    check: async (request: SheetRequest): Promise<string> => {
      const { caller, bytes, draw = null, signal } = request;
      admit(caller);
      const thread = await enter(request);
      try {
        return await thread({ bytes, draw }, signal);
      } finally {
        busy.delete(caller);
        free.push(thread);
        beginNext();
      }
    },
  };
}

const usualThreads = (): number => Math.max(1, Math.min(2, availableParallelism() - 1));

/** Resolves to the report as JSON. */
type SheetThread = (message: SheetMessage, signal: AbortSignal) => Promise<string>;

const MEMORY_MB = 1_024;
/** An idle thread is kept for this time, because starting one is slow. */
const IDLE_MS = 30_000;

/** A worker thread that checks one sheet at a time. It starts with its first sheet, and stops after some idle time. */
function createSheetThread(program: string, limitMs: number): SheetThread {
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
  return async (message, signal) => {
    clearTimeout(idle);
    worker ??= begin();
    worker.ref();
    try {
      const report = await answerOf(worker, message, { signal, limitMs });
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
  message: SheetMessage,
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
    else worker.postMessage(message);
  });
}

const isTooLarge = (error: Error): boolean => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const tooComplex = (): HttpProblem => new HttpProblem("sheet_too_complex");
