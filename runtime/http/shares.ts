import { HttpProblem } from "./request/problem.js";

/** What each caller may use of something that all callers use. */
export interface Shares {
  /** Does a work as a part of a caller's share; throws when the share is used up. */
  readonly use: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

/** Makes shares of so many works at the same time. */
export function createShares(most: number): Shares {
  const used = new Map<string, number>();
  return {
    use: async (caller, work) => {
      const count = used.get(caller) ?? 0;
      if (count >= most) throw usedUp();
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

const usedUp = (): HttpProblem =>
  new HttpProblem("overloaded", {
    detail: "too many requests of this caller are still on their way",
    headers: { "Retry-After": "1" },
    close: true,
  });
