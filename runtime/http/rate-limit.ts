import { HttpProblem } from "./problem.js";

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Counts requests; answers headers that tell how many are left, and objects when there are none. */
export type RateLimiter = (who: string) => { readonly [header: string]: string };

interface Window {
  readonly ends: number;
  count: number;
}

/** So many callers are remembered at once. */
const MOST = 50_000;

/** Makes a limiter: so many requests of one caller in one window of time. */
export function createRateLimiter({ requests, windowMs }: RateLimit): RateLimiter {
  const windows = new Map<string, Window>();
  return (who) => {
    const now = performance.now();
    let window = windows.get(who);
    if (window === undefined || window.ends <= now) {
      windows.delete(who);
      if (windows.size >= MOST) forget(windows, now);
      window = { ends: now + windowMs, count: 0 };
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

/** Windows that are over, or else the oldest one. All are as long, so those that began first stand first and end first. */
function forget(windows: Map<string, Window>, now: number): void {
  for (const [who, { ends }] of windows) {
    if (ends > now) break;
    windows.delete(who);
  }
  if (windows.size < MOST) return;
  for (const oldest of windows.keys()) {
    windows.delete(oldest);
    return;
  }
}
