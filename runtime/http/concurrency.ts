import { type Exchange, onClientGone } from "./client-gone.js";
import { type HttpProblem, tryLater } from "./request/problem.js";

interface SlotOptions {
  readonly most: number;
  readonly queue: number;
  /** The longest wait for a slot. */
  readonly patienceMs: number;
}

/** Continues a waiting request, or refuses it. */
type Settle = (problem: HttpProblem | null) => void;

/** One error for all: under overload, stack traces cost too much. */
const OVERLOADED = tryLater("overloaded", 1, "try again in a moment");
/** The error for requests while the service stops. */
export const CLOSING = tryLater("shutting_down", 5);

export type Slots = ReturnType<typeof createSlots>;

/** Slots for runs: a fixed number run at once, and a few requests wait a short time. */
export function createSlots({ most, queue, patienceMs }: SlotOptions) {
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
    /** Takes a slot for an open request. The returned function frees it. */
    take: async (exchange: Exchange): Promise<() => void> => {
      if (closed) throw CLOSING;
      if (busy < most) {
        busy++;
        return release();
      }
      if (waiting.size >= queue) throw OVERLOADED;
      return wait(exchange);
    },
    busy: () => busy,
    /** Refuses all further requests for slots. */
    close: () => {
      closed = true;
      for (const settle of [...waiting]) settle(CLOSING);
    },
    isClosed: () => closed,
    /** Resolves when all slots are free. */
    idle: (): Promise<void> =>
      busy === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve)),
  };
}

/** Limits the parallel jobs of one caller. `refusal` is one error for all. */
export function createCallerLimit(most: number, refusal: HttpProblem) {
  const used = new Map<string, number>();
  return {
    /** Runs a job of a caller; throws when too many are running. */
    use: async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
      const count = used.get(caller) ?? 0;
      if (count >= most) throw refusal;
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
