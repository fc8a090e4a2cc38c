import { fstatSync, writeSync } from "node:fs";
import { createPaint } from "../compiler/diagnostics/paint.js";
import { type Call, readCall } from "./call.js";
import { createContext, failureText, type Input, type Output, type Surroundings } from "./context.js";
import { EXIT } from "./failure.js";
import { bugText, runCall } from "./run-call.js";

/** Runs the command line of this process. The exit code is set, not forced, so that all output gets out. */
export async function main(): Promise<void> {
  process.on("SIGINT", () => process.exit(EXIT.interrupted));
  process.on("uncaughtException", stopForBug);
  const around = surroundings();
  const call = await readArguments(around, process.argv.slice(2));
  process.exitCode =
    typeof call === "number" ? call : await runCall(call, createContext(around, call.globals));
}

/** Commander is loaded only for what is not plain. */
async function readArguments(around: Surroundings, args: readonly string[]): Promise<Call | number> {
  const call = readCall(args);
  if (call !== null) return call;
  const { readWithCommander } = await import("./program.js");
  return readWithCommander(around, args);
}

function stopForBug(error: unknown): void {
  process.stderr.write(bugText(error, process.argv.includes("--verbose")));
  process.exit(EXIT.bug);
}

function surroundings(): Surroundings {
  return {
    stdout: createOutput(1, () => process.stdout),
    stderr: createOutput(2, () => process.stderr),
    stdin: standardInput,
    env: process.env,
    cwd: process.cwd(),
  };
}

/**
 * An output stream of the process. To a file or a pipe it is written at once, which spares the time that opening
 * a stream takes; a terminal is left to its stream.
 */
function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | null | undefined;
  let gone = false;
  const terminal = (): NodeJS.WriteStream | null => {
    stream ??= isDevice(descriptor) ? open().on("error", (error) => (gone = isGone(error))) : null;
    return stream;
  };
  return {
    write: (text) => {
      const to = terminal();
      if (gone || text === "") return;
      if (to !== null) to.write(text);
      else gone = !writeAll(descriptor, text);
    },
    isTerminal: () => terminal()?.isTTY === true,
    columns: () => terminal()?.columns ?? null,
  };
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Writes a text whole; false when the reader has gone. */
function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      // A pipe that is full, and was set not to wait: its reader needs a moment.
      if (codeOf(error) === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else return !isGone(error);
    }
  }
  return true;
}

/** True when the reader had enough: no failure, and the exit code still tells the findings. Else the program ends. */
function isGone(error: unknown): true {
  if (codeOf(error) === "EPIPE") return true;
  const reason = error instanceof Error ? error.message : String(error);
  writeSync(2, failureText(`cannot write the output: ${reason}`, null, createPaint(false)));
  process.exit(EXIT.usage);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

const standardInput: Input = {
  isTerminal: () => process.stdin.isTTY === true,
  chunks: () => process.stdin,
};
