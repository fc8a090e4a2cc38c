export type Turns = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** Lets a number of calls go on at once. The others wait in their order, and leave at once when they are stopped. */
export function createTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let busy = 0;
  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(go);
        reject(signal?.reason as Error);
      };
      const go = (): void => {
        waiting.delete(go);
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      waiting.add(go);
      signal?.addEventListener("abort", stop, { once: true });
    });
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) busy--;
    else next();
  };
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (busy < most) busy++;
    else await wait(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
