import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { BIN } from "../cli/process.js";

/** `flowsheet compile --watch` as a process of its own. */
export interface Watching {
  readonly child: ChildProcess;
  /** All that it wrote so far, to both streams. */
  readonly output: () => string;
  /** Waits until it has written this, after what was waited for before. */
  readonly until: (text: string | RegExp) => Promise<void>;
  readonly ended: Promise<number | null>;
}

const PATIENCE_MS = 30_000;

export function startWatch(cwd: string, args: readonly string[] = []): Watching {
  const child = spawn(process.execPath, [BIN, "compile", "--watch", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const until = async (wanted: string | RegExp): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const rest = text.slice(seen);
      const found = typeof wanted === "string" ? wanted : (wanted.exec(rest)?.[0] ?? "\0");
      const at = rest.indexOf(found);
      if (at !== -1) {
        seen += at + found.length;
        return;
      }
      if (Date.now() > end) throw new Error(`it never wrote ${String(wanted)}; it wrote:\n${rest}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { child, output: () => text, until, ended };
}
