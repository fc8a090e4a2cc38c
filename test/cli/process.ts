import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { TestRunner } from "vitest";

/** The built program. */
export const BIN = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

const NOBODY = 65_534;

export interface ProcessOptions {
  readonly cwd?: string;
  /** What stands on standard input; null keeps it open. */
  readonly input?: string | Uint8Array | null;
  readonly env?: { readonly [name: string]: string };
  /** Options of node itself. */
  readonly node?: readonly string[];
  /**
   * Run as a user whom permissions bind, also when the tests run as root. The test is skipped, with the reason, where
   * that user cannot come to the program.
   */
  readonly unprivileged?: boolean;
  /** Called when the process runs. */
  readonly started?: (child: ChildProcess) => void;
}

export interface ProcessEnded {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built command line as a process of its own, without colours and without the caller's environment. It costs
 * thirty times what `flowsheet` of run.ts does: it is for what only a process shows.
 */
export function flowsheetProcess(
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessEnded> {
  const { cwd, input = "", env = {}, node = [], unprivileged = false, started } = options;
  const otherUser = unprivileged && process.getuid?.() === 0;
  if (otherUser) skipWithout(BIN, process.execPath);
  const child = spawn(process.execPath, [...node, BIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "pipe",
    ...(otherUser ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A program that does not read its input closes it: no failure of the test.
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  started?.(child);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, stdout: textOf(stdout), stderr: textOf(stderr) });
    });
  });
}

/** Skips the test when somebody else may not come to one of these files. */
function skipWithout(...files: readonly string[]): void {
  const closed = files.flatMap(foldersTo).find((folder) => (statSync(folder).mode & FOR_OTHERS) === 0);
  if (closed === undefined) return;
  console.warn(`SKIPPED: it runs the program as another user, and no other user may enter ${closed}`);
  TestRunner.getCurrentTest()?.context.skip(`no other user may enter ${closed}`);
}

/** The folders on the way to a file. */
function foldersTo(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersTo(folder)];
}

const FOR_OTHERS = 0o001;

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
