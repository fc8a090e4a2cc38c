import { HttpProblem } from "./request/problem.js";

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
