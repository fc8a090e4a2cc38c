import { availableParallelism } from "node:os";
import { HttpProblem } from "../request/problem.js";
import { createSheetThread, type SheetThread } from "./sheet-thread.js";

/** A sheet that came in a request. */
export interface SheetRequest {
  /** Who sent it: callers take turns. */
  readonly caller: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** Checks sheets in threads of their own, so that no sheet keeps other requests waiting. */
export interface SheetChecks {
  /** Throws when a caller has no place for one more sheet. */
  readonly admit: (caller: string) => void;
  /** Gives the report as JSON. */
  readonly check: (request: SheetRequest) => Promise<string>;
}

export interface SheetCheckOptions {
  readonly program: string;
  /** So long one sheet may take. */
  readonly limitMs: number;
  /** Sheets that are checked at the same time. */
  readonly threads?: number;
}

/** Sheets of one caller that wait while one is checked. */
const MOST_OF_CALLER = 4;
/** Sheets of all callers that wait. */
const MOST = 64;

interface Job extends SheetRequest {
  readonly begin: (thread: SheetThread) => void;
}

/** Makes what checks sheets: one of each caller at a time, and callers in turn. */
export function createSheetChecks({ program, limitMs, threads }: SheetCheckOptions): SheetChecks {
  const free = Array.from({ length: threads ?? usualThreads() }, () => createSheetThread(program, limitMs));
  /** Callers in the order of their turns. */
  const waiting = new Map<string, Job[]>();
  const busy = new Set<string>();
  let queued = 0;

  const admit = (caller: string): void => {
    if ((waiting.get(caller)?.length ?? 0) >= MOST_OF_CALLER) throw tooMany();
    if (queued >= MOST) throw overloaded();
  };
  const leave = (job: Job): boolean => {
    const jobs = waiting.get(job.caller) ?? [];
    const at = jobs.indexOf(job);
    if (at === -1) return false;
    jobs.splice(at, 1);
    queued--;
    if (jobs.length === 0) waiting.delete(job.caller);
    return true;
  };
  const nextJob = (): Job | undefined => {
    for (const [caller, [first]] of waiting) if (!busy.has(caller)) return first;
    return undefined;
  };
  const goOn = (): void => {
    for (let job = nextJob(); job !== undefined && free.length > 0; job = nextJob()) {
      leave(job);
      const rest = waiting.get(job.caller);
      // The caller's next sheet comes after those of all others.
      if (rest !== undefined && waiting.delete(job.caller)) waiting.set(job.caller, rest);
      busy.add(job.caller);
      job.begin(free.pop() as SheetThread);
    }
  };
  const enter = (request: SheetRequest): Promise<SheetThread> =>
    new Promise((resolve, reject) => {
      const { caller, signal } = request;
      const gone = (): void => {
        if (leave(job)) reject(overloaded());
      };
      const begin = (thread: SheetThread): void => {
        signal.removeEventListener("abort", gone);
        resolve(thread);
      };
      const job: Job = { ...request, begin };
      waiting.set(caller, [...(waiting.get(caller) ?? []), job]);
      queued++;
      signal.addEventListener("abort", gone);
      goOn();
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
        goOn();
      }
    },
  };
}

/** One processor is left to those who answer. */
const usualThreads = (): number => Math.max(1, Math.min(2, availableParallelism() - 1));

const tooMany = (): HttpProblem =>
  new HttpProblem("rate_limited", {
    detail: `one sheet of a caller is checked at a time, and ${MOST_OF_CALLER} more wait: send it again when one is done`,
    headers: { "Retry-After": "2" },
    close: true,
  });

const overloaded = (): HttpProblem =>
  new HttpProblem("overloaded", {
    detail: "too many sheets are waiting to be checked",
    headers: { "Retry-After": "2" },
    close: true,
  });
