import { createCallWindows } from "../auth/call-windows.js";
import { HttpProblem } from "./request/problem.js";

/** Counts a request. Returns headers with the remaining number, or throws when there are too many. */
export type RateLimiter = (who: string) => { readonly [header: string]: string };

const CALLERS = 50_000;

/** Makes a limiter for so many requests of one caller in one window of time. */
export function createRateLimiter(requests: number, windowMs: number): RateLimiter {
  const countCall = createCallWindows(windowMs, CALLERS);
  return (who) => {
    const { count, seconds } = countCall(who, performance.now());
    const headers = {
      "RateLimit-Limit": `${requests}`,
      "RateLimit-Remaining": `${Math.max(0, requests - count)}`,
      "RateLimit-Reset": `${seconds}`,
    };
    if (count <= requests) return headers;
    throw new HttpProblem("rate_limited", {
      detail: `try again in ${seconds} s`,
      headers: { ...headers, "Retry-After": `${seconds}` },
    });
  };
}
