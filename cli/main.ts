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
    stdout: createOutput(() => process.stdout),
    stderr: createOutput(() => process.stderr),
    stdin: standardInput,
    env: process.env,
    cwd: process.cwd(),
  };
}

/** A stream of the process, opened when it is first asked for: opening one takes longer than many commands. */
function createOutput(open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | null = null;
  let gone = false;
  const opened = (): NodeJS.WriteStream => {
    stream ??= open().on("error", (error: NodeJS.ErrnoException) => {
      gone = true;
      // The reader had enough: that is no failure of ours, and the exit code still tells the findings.
      if (error.code !== "EPIPE") stopForOutput(error);
    });
    return stream;
  };
  return {
    write: (text) => {
      if (!gone && text !== "") opened().write(text);
    },
    isTerminal: () => opened().isTTY === true,
    columns: () => opened().columns ?? null,
  };
}

function stopForOutput(error: Error): void {
  process.stderr.write(failureText(`cannot write the output: ${error.message}`, null, createPaint(false)));
  process.exit(EXIT.usage);
}

const standardInput: Input = {
  isTerminal: () => process.stdin.isTTY === true,
  chunks: () => process.stdin,
};
