import { HttpProblem } from "./request/problem.js";

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Counts requests; answers headers that tell how many are left, and objects when there are none. */
export type RateLimiter = (who: string) => { readonly [header: string]: string };

interface Window {
  readonly who: string;
  readonly ends: number;
  count: number;
}

/** So many callers are remembered at once. */
const MOST = 50_000;

/** Makes a limiter: so many requests of one caller in one window of time. */
export function createRateLimiter({ requests, windowMs }: RateLimit): RateLimiter {
  const windows = new Map<string, Window>();
  const forget = createForgetting(windows);
  return (who) => {
    const now = performance.now();
    let window = windows.get(who);
    if (window === undefined || window.ends <= now) {
      window = { who, ends: now + windowMs, count: 0 };
      forget(window, now);
      windows.set(who, window);
    }
    window.count++;
    const seconds = Math.max(1, Math.ceil((window.ends - now) / 1_000));
    const headers = {
      "RateLimit-Limit": `${requests}`,
      "RateLimit-Remaining": `${Math.max(0, requests - window.count)}`,
      "RateLimit-Reset": `${seconds}`,
    };
    if (window.count <= requests) return headers;
    throw new HttpProblem("rate_limited", {
      detail: `try again in ${seconds} s`,
      headers: { ...headers, "Retry-After": `${seconds}` },
    });
  };
}

/**
 * Makes room for a new window: forgets those that are over, and the oldest one when there are too many. All are as long,
 * so those that began first end first. The queue stands beside the map because a map that is emptied from its front
 * looks through all that it has forgotten.
 */
function createForgetting(windows: Map<string, Window>): (next: Window, now: number) => void {
  let queue: Window[] = [];
  let first = 0;
  return (next, now) => {
    for (let oldest = queue[first]; oldest !== undefined; oldest = queue[first]) {
      if (oldest.ends > now && windows.size < MOST) break;
      if (windows.get(oldest.who) === oldest) windows.delete(oldest.who);
      first++;
    }
    if (first >= MOST) {
      queue = queue.slice(first);
      first = 0;
    }
    queue.push(next);
  };
}
