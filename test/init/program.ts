import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  /** What it wrote, to both streams. */
  readonly output: string;
}

/** Runs a program to its end. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const { PATH = "", GOGC = "" } = process.env;
  const env = { PATH, GOGC, HOME: cwd, NO_COLOR: "1" };
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString("utf8") }));
  });
}
