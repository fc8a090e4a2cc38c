import { type Line, linesOf, RunStop } from "./run.js";
import { closeScope, LONGEST_MS, onClose } from "./scope.js";

/** The one node that is at work; null when there are several, or none. */
function nodeAtWork(root: Line): string | null {
  const [only, ...others] = linesOf(root).flatMap(({ visit }) => (visit === null ? [] : [visit.node]));
  return others.length === 0 ? (only ?? null) : null;
}

export interface Watch {
  /** Rejects when the run must stop: cancelled, or out of time. Never resolves. */
  readonly interrupted: Promise<never>;
  readonly end: () => void;
}

/** Watches for the caller's signal and the run's time-out. */
export function watchRun(root: Line): Watch {
  const { run, scope } = root;
  const { signal, timeoutMs } = run.options;
  const stop = (code: "cancelled" | "run_timeout", message: string): void =>
    closeScope(scope, new RunStop(code, message, nodeAtWork(root)));
  const interrupted = new Promise<never>((_, reject) => onClose(scope, reject));
  interrupted.catch(() => {});
  const cancel = (): void => stop("cancelled", "the run was cancelled");
  const expire = (): void => stop("run_timeout", `the run took longer than ${timeoutMs} ms`);
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, Math.min(timeoutMs, LONGEST_MS));
  if (signal?.aborted === true) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  return {
    interrupted,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
