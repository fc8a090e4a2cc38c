import type { Failing } from "./failure.js";

/** Calls of one provider for one answer, the first one included. */
export const ATTEMPTS = 4;
/** A server that asks for a longer wait is as good as down: the next provider is asked. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 400;

/**
 * How long to wait before a failed call is made again; null when it is not to be made again. What the server asks
 * for is kept, and a little more, so that those who were refused together do not come back together.
 */
export function waitBefore(failing: Failing, attempt: number): number | null {
  if (!failing.isPassing) return null;
  const { waitMs } = failing;
  if (waitMs !== null) return waitMs > LONGEST_WAIT_MS ? null : waitMs + Math.random() * 250;
  const longest = FIRST_WAIT_MS * 2 ** (attempt - 1);
  return longest / 2 + (Math.random() * longest) / 2;
}

/** Waits, unless the signal says otherwise. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
