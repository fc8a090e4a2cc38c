export type Environment = { readonly [name: string]: string | undefined };

/** The process, as far as the package needs it. */
export interface Host {
  readonly env: Environment;
  readonly pid: number;
  /** The user that the process runs as; null where users have no numbers. */
  readonly uid?: number | null;
  /** True for a living process of this machine, whoever owns it. */
  readonly isAlive: (pid: number) => boolean;
  /** Ends all processes of a group. Nothing happens when it has none any more. */
  readonly killGroup: (pid: number) => void;
  /** A module of Node's own, loaded without the warning that it is experimental; null where Node lacks it. */
  readonly builtin?: (name: string) => object | null;
  /** The process that has started this one, and talks with it; undefined without one. */
  readonly parent?: Parent | undefined;
}

export interface Parent {
  readonly listen: (listener: (message: unknown) => void) => void;
  readonly send: (message: object) => void;
  /** Ends this process when that one is gone, whatever a thread of this one is at. */
  readonly endWith: () => void;
}

/**
 * Only the command line and this file access the process.
 * All other code gets what it needs as arguments, so that a host application can replace it.
 */
export const host: Host = {
  get env() {
    return globalThis.process.env;
  },
  get pid() {
    return globalThis.process.pid;
  },
  get uid() {
    return globalThis.process.getuid?.() ?? null;
  },
  get parent() {
    const { process } = globalThis;
    if (process.send === undefined) return undefined;
    return {
      listen: (listener: (message: unknown) => void) => void process.on("message", listener),
      send: (message: object) => void process.send?.(message),
      // A plain exit waits for threads, and one that is in native code does not end.
      endWith: () => void process.once("disconnect", () => process.kill(process.pid, "SIGKILL")),
    };
  },
  isAlive: (pid) => {
    try {
      return globalThis.process.kill(pid, 0);
    } catch (error) {
      // The process is alive, but has another owner.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  killGroup: (pid) => {
    try {
      globalThis.process.kill(-pid, "SIGKILL");
    } catch {
      // All of it have ended.
    }
  },
  builtin: (name) => {
    const { process } = globalThis;
    const { emitWarning } = process;
    // The warning is for developers of the module's users, and would stand in the output of every command.
    process.emitWarning = () => {};
    try {
      return process.getBuiltinModule(name) ?? null;
    } finally {
      process.emitWarning = emitWarning;
    }
  },
};
