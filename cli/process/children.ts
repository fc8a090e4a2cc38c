import childProcess from "node:child_process";

/** What a program that is started is told of its streams. */
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
 * Has programs that agents start with our streams write to stderr: stdout is the command's own. Node cannot turn a
 * stream of its own process elsewhere, so what starts programs is told of another one.
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
  // Agents that import these functions by their names get the new ones.
  (process.getBuiltinModule("node:module") as typeof import("node:module")).syncBuiltinESMExports();
}

/** Options with stderr in the place of stdout; whatever else is given stays. */
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
