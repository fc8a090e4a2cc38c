import { availableParallelism } from "node:os";
import { tryLater } from "../request/problem.js";
import { createSheetThread, type SheetThread } from "./sheet-thread.js";

export interface SheetRequest {
  /** The key for limits: callers take turns. */
  readonly caller: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
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
      const { caller, bytes, signal } = request;
      admit(caller);
      const thread = await enter(request);
      try {
        return await thread(bytes, signal);
      } finally {
        busy.delete(caller);
        free.push(thread);
        beginNext();
      }
    },
  };
}

const usualThreads = (): number => Math.max(1, Math.min(2, availableParallelism() - 1));
