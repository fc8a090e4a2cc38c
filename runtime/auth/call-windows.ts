/** Counts a call: the number of calls in the caller's window, and the seconds until it ends. */
export type CountCall = (who: string, now: number) => { readonly count: number; readonly seconds: number };

interface Window {
  readonly who: string;
  readonly since: number;
  count: number;
}

/** Counts calls of each caller in windows of time. Only the latest callers are remembered. */
export function createCallWindows(windowMs: number, callers: number): CountCall {
  const windows = new Map<string, Window>();
  // A separate queue, because V8 scans deleted entries when it looks for the first entry of a map.
  let queue: Window[] = [];
  let first = 0;
  // A clock that was set back must not lock out a caller for longer than a window.
  const isOver = ({ since }: Window, now: number): boolean => now - since >= windowMs || now < since;
  const forget = (now: number): void => {
    for (let oldest = queue[first]; oldest !== undefined; oldest = queue[first]) {
      if (!isOver(oldest, now) && windows.size < callers) break;
      if (windows.get(oldest.who) === oldest) windows.delete(oldest.who);
      first++;
    }
    if (first < callers) return;
    queue = queue.slice(first);
    first = 0;
  };
  return (who, now) => {
    let window = windows.get(who);
    if (window === undefined || isOver(window, now)) {
      window = { who, since: now, count: 0 };
      forget(now);
      queue.push(window);
      windows.set(who, window);
    }
    window.count++;
    const seconds = Math.max(1, Math.ceil((window.since + windowMs - now) / 1_000));
    return { count: window.count, seconds };
  };
}
