import { type Exchange, onClientGone } from "./client-gone.js";
import { HttpProblem } from "./request/problem.js";

/** Slots for runs: a fixed number run at once, and a few requests wait a short time. */
export interface Slots {
  /** Takes a slot for an open request. The returned function frees it. */
  readonly take: (exchange: Exchange) => Promise<() => void>;
  readonly busy: () => number;
  /** Refuses all further requests for slots. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
  /** Resolves when all slots are free. */
  readonly idle: () => Promise<void>;
}

export interface SlotOptions {
  readonly most: number;
  readonly queue: number;
  /** The longest wait for a slot. */
  readonly patienceMs: number;
}

/** Continues a waiting request, or refuses it. */
type Settle = (problem: HttpProblem | null) => void;

/** One error for all: under overload, stack traces cost too much. */
const OVERLOADED: HttpProblem = new HttpProblem("overloaded", {
  detail: "try again in a moment",
  headers: { "Retry-After": "1" },
  close: true,
});
/** The error for requests while the service stops. */
export const CLOSING: HttpProblem = new HttpProblem("shutting_down", {
  headers: { "Retry-After": "5" },
  close: true,
});

export function createSlots({ most, queue, patienceMs }: SlotOptions): Slots {
  const waiting = new Set<Settle>();
  const idlers: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const release = (): (() => void) => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const [next] = waiting;
      if (next !== undefined) return next(null);
      busy--;
      if (busy === 0) for (const idle of idlers.splice(0)) idle();
    };
  };

  const wait = (exchange: Exchange): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const settle: Settle = (problem) => {
        waiting.delete(settle);
        clearTimeout(timer);
        off();
        if (problem === null) resolve(release());
        else reject(problem);
      };
      const timer = setTimeout(settle, patienceMs, OVERLOADED);
      const off = onClientGone(exchange, () => settle(OVERLOADED));
      waiting.add(settle);
    });

  return {
    take: async (exchange) => {
      if (closed) throw CLOSING;
      if (busy < most) {
        busy++;
        return release();
      }
      if (waiting.size >= queue) throw OVERLOADED;
      return wait(exchange);
    },
    busy: () => busy,
    close: () => {
      closed = true;
      for (const settle of [...waiting]) settle(CLOSING);
    },
    isClosed: () => closed,
    idle: () => (busy === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}

/** The largest number of parallel jobs of one caller. */
export interface CallerLimit {
  /** Runs a job of a caller; throws when too many are running. */
  readonly use: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

export function createCallerLimit(most: number): CallerLimit {
  const used = new Map<string, number>();
  return {
    use: async (caller, work) => {
      const count = used.get(caller) ?? 0;
      if (count >= most) throw tooMany();
      used.set(caller, count + 1);
      try {
        return await work();
      } finally {
        const left = (used.get(caller) ?? 1) - 1;
        if (left === 0) used.delete(caller);
        else used.set(caller, left);
      }
    },
  };
}

const tooMany = (): HttpProblem =>
  new HttpProblem("overloaded", {
    detail: "too many requests of this caller are still on their way",
    headers: { "Retry-After": "1" },
    close: true,
  });
