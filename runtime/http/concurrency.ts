import { type Exchange, onClientGone } from "./client-gone.js";
import { HttpProblem } from "./request/problem.js";

/** Slots for runs: so many run at once, and a few requests wait for a slot for a short time. */
export interface Slots {
  /** Takes a slot for a request that is not answered yet; gives the function that frees the slot. */
  readonly take: (exchange: Exchange) => Promise<() => void>;
  readonly busy: () => number;
  /** Nobody gets a slot any more. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
  /** Done when every slot is free. */
  readonly idle: () => Promise<void>;
}

export interface SlotOptions {
  readonly most: number;
  readonly queue: number;
  /** So long a request waits for a slot. */
  readonly patienceMs: number;
}

/** Lets a request that waits go on, or refuses it. */
type Settle = (problem: HttpProblem | null) => void;

/** Made once: under overload there is no time for the stack trace of an error for each request. */
const OVERLOADED: HttpProblem = new HttpProblem("overloaded", {
  detail: "try again in a moment",
  headers: { "Retry-After": "1" },
  close: true,
});
/** What every request gets that comes while the service stops. */
export const CLOSING: HttpProblem = new HttpProblem("shutting_down", {
  headers: { "Retry-After": "5" },
  close: true,
});

/** Makes the slots for runs. */
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

/** How much each caller may have under way at the same time. */
export interface CallerLimit {
  /** Does a work for a caller; throws when he has too many under way. */
  readonly use: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

/** Limits each caller to so many works at the same time. */
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
