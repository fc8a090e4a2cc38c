/** Aborts after a time, or with another signal. */
export function deadline(ms: number, outer: AbortSignal | undefined) {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(), ms);
  const signal = outer === undefined ? own.signal : AbortSignal.any([own.signal, outer]);
  return { signal, over: () => clearTimeout(timer) };
}

/** Name servers cannot be asked to stop, so nobody waits for them longer than for the rest. */
export function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
