import { fstatSync, type Stats, statSync, writeSync } from "node:fs";
import { createPaint } from "../compiler/diagnostics/paint.js";
import { systemCode } from "../compiler/files/system-code.js";
import { EXIT } from "./failure.js";
import { readCall } from "./line/call.js";
import { createContext, failureText, type Input, type Output, type Surroundings } from "./process/context.js";
import { createProcessEvents } from "./process/events.js";
import { bugText, runCall } from "./run-call.js";

/** Runs the command line of this process. The exit code is set, not forced, so that all output gets out. */
export async function main(): Promise<void> {
  const around = surroundings(keepStdoutClean());
  process.exitCode = await runArguments(around, process.argv.slice(2));
  // Timers and sockets that agents left open must not keep the process alive.
  setTimeout(() => process.exit(), GRACE_MS).unref();
}

/** Does not touch the process, so that tests can run commands through it. */
export async function runArguments(around: Surroundings, args: readonly string[]): Promise<number> {
  const call = readCall(args);
  return runCall(call, createContext(around, call.globals));
}

/**
 * Other programs read stdout, so what agents print goes to stderr.
 * Returns the function that opens the real stdout.
 */
function keepStdoutClean(): () => NodeJS.WriteStream {
  const real = Object.getOwnPropertyDescriptor(process, "stdout");
  Object.defineProperty(process, "stdout", {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
  const { error } = console;
  console.log = console.info = console.debug = error;
  console.dir = (value: unknown) => error(value);
  return () => real?.get?.call(process) as NodeJS.WriteStream;
}

const GRACE_MS = 500;

function stopForBug(error: unknown): void {
  process.stderr.write(bugText(error, process.argv.includes("--verbose")));
  process.exit(EXIT.bug);
}

function surroundings(openStdout: () => NodeJS.WriteStream): Surroundings {
  return {
    stdout: createOutput(1, openStdout),
    stderr: createOutput(2, () => process.stderr),
    stdin: standardInput,
    env: process.env,
    cwd: process.cwd(),
    events: createProcessEvents(stopForBug),
  };
}

/**
 * Files and pipes are written synchronously, because opening a stream of Node takes time.
 * A terminal is written through its stream.
 */
function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | null | undefined;
  let gone = false;
  const lose = (error: unknown): void => {
    gone = true;
    // A reader that closed the pipe is no failure. An error of stderr cannot be reported.
    if (descriptor === 1 && systemCode(error) !== "EPIPE") stopForOutput(error);
  };
  const terminal = (): NodeJS.WriteStream | null => {
    if (stream === undefined) stream = isDevice(descriptor) ? open().on("error", lose) : null;
    return stream;
  };
  return {
    write: (text) => {
      const to = terminal();
      if (gone || text === "") return;
      if (to !== null) to.write(text);
      else writeAll(descriptor, Buffer.from(text), lose);
    },
    isTerminal: () => terminal()?.isTTY === true,
    offer: (text) => {
      const to = terminal();
      let lost = gone;
      if (to?.isTTY === true) to.write(text);
      else if (!lost) writeAll(descriptor, Buffer.from(text), () => (lost = true));
      return !lost;
    },
    // Some terminals say that they have no columns at all.
    columns: () => terminal()?.columns || null,
  };
}

function isDevice(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isCharacterDevice() && !isNull(stats);
  } catch {
    return false;
  }
}

/** The null device can be written like a file. */
function isNull({ rdev }: Stats): boolean {
  try {
    return rdev === statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, lose: (error: unknown) => void): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") {
        lose(error);
        return;
      }
      // The pipe is full and non-blocking, so its reader needs a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function stopForOutput(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(failureText(`cannot write the output: ${reason}`, null, createPaint(false)));
  process.exit(EXIT.usage);
}

const standardInput: Input = {
  // Opening the stream takes time, so it is opened only for a terminal.
  isTerminal: () => isDevice(0) && process.stdin.isTTY === true,
  chunks: () => process.stdin,
  openLines: async () => (await import("./process/lines.js")).openLines(process.stdin, process.stderr),
};
