import childProcess from "node:child_process";

/** The stream options of a child process. */
interface Options {
  readonly stdio?: unknown;
}
interface Starting {
  spawn: (this: unknown, options: Options) => unknown;
}
type Start = (...args: unknown[]) => unknown;

const AT_ONCE = ["spawnSync", "execFileSync", "execSync"] as const;
let isDone = false;

/**
 * Child processes of agents that inherit our streams write to stderr, because other programs read stdout.
 * Node cannot redirect its own stdout, so the options of each child process are changed.
 */
export function keepChildrenOffStdout(): void {
  if (isDone) return;
  isDone = true;
  // spawn, fork, exec and execFile all end here.
  const { prototype } = childProcess.ChildProcess as unknown as { readonly prototype: Starting };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    return spawn.call(this, elsewhere(options) as Options);
  };
  const open = childProcess as unknown as { [name: string]: Start };
  for (const name of AT_ONCE) {
    const start = open[name]!;
    open[name] = (...args) => start(...args.map(elsewhere));
  }
  // Updates the named imports of agents, too.
  (process.getBuiltinModule("node:module") as typeof import("node:module")).syncBuiltinESMExports();
}

function elsewhere(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("stdio" in given)) return given;
  const { stdio } = given;
  if (stdio === "inherit") return { ...given, stdio: ["inherit", 2, "inherit"] };
  return Array.isArray(stdio)
    ? { ...given, stdio: stdio.map((one, at) => (isStdout(one, at) ? 2 : one)) }
    : given;
}

const isStdout = (stream: unknown, at: number): boolean =>
  stream === 1 ||
  (stream === "inherit" && at === 1) ||
  (typeof stream === "object" && stream !== null && "fd" in stream && stream.fd === 1);
