import { createRequire } from "node:module";
import type { Output, Surroundings } from "../../cli/process/context.js";
import type { ProcessEvents } from "../../cli/process/events.js";

/** The built command line, as it is shipped: its modules are loaded once for all tests of a file. */
const { runArguments } = createRequire(import.meta.url)(
  "../../dist/cli/start.js",
) as typeof import("../../cli/main.js");

export interface RunOptions {
  readonly cwd?: string;
  /** What stands on standard input. */
  readonly input?: string | Uint8Array;
  readonly env?: { readonly [name: string]: string };
  /** Signals and other things that happen to a process; none without them. */
  readonly events?: ProcessEvents;
  /** How wide its output is; as wide as that of a pipe without. */
  readonly columns?: number;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built command line in this process, without colours and without the caller's environment. A command gets
 * all it knows of the world from its context. What needs a process of its own (signals, what agents print, leave
 * behind or break, start-up) is for `flowsheetProcess` of process.ts.
 */
export async function flowsheet(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd = process.cwd(), input = "", env = {}, events, columns = null } = options;
  const [stdout, stderr] = [createCollector(columns), createCollector(columns)];
  const around: Surroundings = {
    stdout,
    stderr,
    stdin: { isTerminal: () => false, chunks: () => chunksOf(input) },
    env: { PATH: process.env["PATH"] ?? "", ...env },
    cwd,
    ...(events === undefined ? {} : { events }),
  };
  const takeBack = lendToAgents(env);
  try {
    const code = await runArguments(around, args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    takeBack();
  }
}

/** Commands at work at the same time, and what the process had before the first of them. */
let atWork = 0;
let before: { readonly [name: string]: string | undefined } = {};

/** Agents of a project read the variables of the process: these are there for as long as any command goes on. */
function lendToAgents(env: { readonly [name: string]: string }): () => void {
  if (atWork++ === 0) before = { ...process.env };
  Object.assign(process.env, env);
  return () => {
    if (--atWork > 0) return;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
    Object.assign(process.env, before);
  };
}

interface Collector extends Output {
  readonly text: () => string;
}

function createCollector(columns: number | null): Collector {
  let text = "";
  const write = (more: string): void => {
    // As it would come out of a pipe: half characters do not survive it.
    text += Buffer.from(more).toString("utf8");
  };
  return { write, isTerminal: () => false, columns: () => columns, text: () => text };
}

async function* chunksOf(input: string | Uint8Array): AsyncIterable<Uint8Array> {
  if (input.length > 0) yield Buffer.from(input);
}
