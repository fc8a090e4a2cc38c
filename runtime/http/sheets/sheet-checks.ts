import { availableParallelism } from "node:os";
import { type HttpProblem, tryLater } from "../request/problem.js";
import { createSheetThread, type SheetThread } from "./sheet-thread.js";

export interface SheetRequest {
  /** The key for limits: callers take turns. */
  readonly caller: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** Checks sheets in worker threads, so that no sheet delays other requests. */
export interface SheetChecks {
  /** Throws when a caller has too many waiting sheets. */
  readonly admit: (caller: string) => void;
  /** Resolves to the report as JSON. */
  readonly check: (request: SheetRequest) => Promise<string>;
}

export interface SheetCheckOptions {
  readonly program: string;
  /** The time limit of one sheet. */
  readonly limitMs: number;
  /** The number of parallel checks. */
  readonly threads?: number;
}

/** The most waiting sheets of one caller. */
const MOST_OF_CALLER = 4;
/** The most waiting sheets of all callers. */
const MOST = 64;

interface Job {
  readonly caller: string;
  readonly begin: (thread: SheetThread) => void;
}

/** Checks at most one sheet of each caller at a time, and callers take turns. */
export function createSheetChecks({ program, limitMs, threads }: SheetCheckOptions): SheetChecks {
  const free = Array.from({ length: threads ?? usualThreads() }, () => createSheetThread(program, limitMs));
  const busy = new Set<string>();
  let waiting: readonly Job[] = [];

  const admit = (caller: string): void => {
    if (waiting.filter((job) => job.caller === caller).length >= MOST_OF_CALLER) throw tooMany();
    if (waiting.length >= MOST) throw overloaded();
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
        reject(overloaded());
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
    admit,
    check: async (request) => {
      const { caller, bytes, signal } = request;
      admit(caller);
      const thread = await enter(request);
      try {
        return await thread.check(bytes, signal);
      } finally {
        busy.delete(caller);
        free.push(thread);
        beginNext();
      }
    },
  };
}

/** One processor is left for answers. */
const usualThreads = (): number => Math.max(1, Math.min(2, availableParallelism() - 1));

const tooMany = (): HttpProblem =>
  tryLater(
    "rate_limited",
    2,
    `one sheet of a caller is checked at a time, and ${MOST_OF_CALLER} more wait: send it again when one is done`,
  );
const overloaded = (): HttpProblem => tryLater("overloaded", 2, "too many sheets are waiting to be checked");
