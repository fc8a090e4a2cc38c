/** Variables of the environment by name. */
export type Environment = { readonly [name: string]: string | undefined };

/** What the package must know of the process it lives in. */
export interface Host {
  readonly env: Environment;
  readonly pid: number;
  /** The user that the process runs as; null where users have no numbers. */
  readonly uid?: number | null;
  /** Whether a process of this machine is there, whoever it belongs to. */
  readonly isAlive: (pid: number) => boolean;
}

/**
 * The process itself. Only the command line and this file ask for it: all other code is handed what it needs, so
 * that a host application can hand over something else.
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
  isAlive: (pid) => {
    try {
      return globalThis.process.kill(pid, 0);
    } catch (error) {
      // It is there, but belongs to somebody else.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
};
