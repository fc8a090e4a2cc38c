import { EXIT } from "../failure.js";
import { watchExitCode } from "./exit-code.js";
import type { Watching } from "./watchdog.js";

/** Events of the process during a command. Each function returns one that removes the listener. */
export interface ProcessEvents {
  /** Ctrl-C. Without a listener it ends the process; the second time it always does. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The system asks the process to end. Without a listener it does; the second time it always does. */
  readonly onTerminate: (listener: () => void) => () => void;
  /** SIGHUP: the terminal has gone, or logs were rotated. With a listener it never ends the process. */
  readonly onHangup: (listener: () => void) => () => void;
  /** An uncaught error or an unhandled rejection, such as of a promise that an agent forgot. */
  readonly onStray: (listener: (thrown: unknown) => void) => () => void;
  /** The event loop is empty, so a run that waits for something can never continue. */
  readonly onIdle: (listener: () => void) => () => void;
  /** An agent calls `process.exit(0)`. The listener may still write; the exit code becomes 1. */
  readonly onQuit: (listener: () => void) => () => void;
  /** Child processes of agents write to stderr from now on; see children.ts. */
  readonly keepChildrenOffStdout: () => Promise<void>;
  /** Detects code that blocks the event loop; see watchdog.ts. */
  readonly watchThread: (watching: Watching) => Promise<() => void>;
}

/** An unhandled error without a listener is a bug of this program. */
export function createProcessEvents(stopForBug: (error: unknown) => void): ProcessEvents {
  const interrupt = new Set<() => void>();
  const terminate = new Set<() => void>();
  const stray = new Set<(thrown: unknown) => void>();
  const idle = new Set<() => void>();
  process.on("SIGINT", callOnce(interrupt, EXIT.interrupted));
  // Shells report a signal as 128 plus its number.
  const terminated = callOnce(terminate, 143);
  const strayed = (thrown: unknown): void => {
    if (stray.size === 0) stopForBug(thrown);
    for (const listener of stray) listener(thrown);
  };
  process.on("uncaughtException", strayed);
  process.on("unhandledRejection", strayed);
  process.on("beforeExit", () => {
    for (const listener of [...idle]) listener();
  });
  const quit = new Set<() => void>();
  const keepExitCode = watchExitCode();
  process.on("exit", (code) => {
    const isQuit = code === EXIT.done && quit.size > 0;
    if (isQuit) for (const listener of quit) listener();
    keepExitCode(isQuit ? EXIT.findings : code);
  });
  return {
    onInterrupt: addTo(interrupt),
    onTerminate: (listener) => {
      // A command without a listener must end at once, so the handler is added only with the first one.
      if (terminate.size === 0) process.on("SIGTERM", terminated);
      return addTo(terminate)(listener);
    },
    onHangup: (listener) => {
      process.on("SIGHUP", listener);
      return () => process.off("SIGHUP", listener);
    },
    onStray: addTo(stray),
    onIdle: addTo(idle),
    onQuit: addTo(quit),
    keepChildrenOffStdout,
    watchThread: async (watching) => {
      // Child processes can come only from agents of the project, and only their commands are watched.
      const [{ startWatchdog }] = await Promise.all([import("./watchdog.js"), keepChildrenOffStdout()]);
      return startWatchdog(watching);
    },
  };
}

const keepChildrenOffStdout = async (): Promise<void> =>
  (await import("./children.js")).keepChildrenOffStdout();

/** Calls listeners, each once; without any the process ends. */
const callOnce = (listeners: Set<() => void>, code: number) => (): void => {
  const all = [...listeners];
  listeners.clear();
  if (all.length === 0) process.exit(code);
  for (const listener of all) listener();
};

const addTo =
  <T>(listeners: Set<T>) =>
  (listener: T): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
