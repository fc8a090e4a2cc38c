import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../graph/contract/contract.js";
import { host } from "../../host.js";
import { failure, NO_FILE, told } from "../../storage/failure.js";
import { parseFileName } from "../../storage/file-name.js";
import { atSpot, look } from "../../storage/jail.js";
import type { SqliteAnswer } from "./sqlite-process.js";
import type { SqliteRequest } from "./sqlite-statement.js";
import { createTurns } from "./turns.js";

/** The path of a database in the data folder. A file that is to be changed is made when it is not there. */
export async function databaseFile(root: string, file: string, readOnly: boolean): Promise<string> {
  const parts = parseFileName(file, null);
  const shown = parts.join("/");
  return told(shown, async () => {
    const found = await atSpot({ root, parts, shown, make: !readOnly }, async (spot) => {
      const isThere = (await look(spot)) !== null;
      return isThere || !readOnly ? spot.key : null;
    });
    if (found === null) throw failure(shown, NO_FILE);
    return found;
  });
}

/** Asks a process of its own, one statement after the other. */
export interface SqliteProcess {
  readonly ask: (request: SqliteRequest, signal: AbortSignal | undefined) => Promise<Json>;
}

/** It is kept for this time, because starting one takes a while. */
const IDLE_MS = 10_000;

export function createSqliteProcess(fail: (message: string) => Error): SqliteProcess {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createTurns(1);
  const end = (): void => {
    child?.kill("SIGKILL");
    child = null;
  };
  const begin = (): ChildProcess => {
    const made = fork(programPath(), [], {
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // It needs none of the secrets. Windows needs this one.
      env: { NODE_NO_WARNINGS: "1", SystemRoot: host.env["SystemRoot"] },
    });
    made.on("error", () => {});
    made.on("exit", () => {
      if (child === made) child = null;
    });
    return made;
  };
  const one = async (request: SqliteRequest, signal: AbortSignal | undefined): Promise<Json> => {
    signal?.throwIfAborted();
    clearTimeout(idle);
    child ??= begin();
    hold(child, true);
    try {
      const answer = await answerOf(child, request, signal);
      if ("error" in answer) throw fail(answer.error);
      return JSON.parse(answer.json) as Json;
    } catch (error) {
      // A statement that was left in the middle holds its locks.
      end();
      throw error;
    } finally {
      if (child !== null) hold(child, false);
      idle = setTimeout(end, IDLE_MS).unref();
    }
  };
  return { ask: (request, signal) => inTurn(() => one(request, signal), signal) };
}

function hold(child: ChildProcess, isHeld: boolean): void {
  const how = isHeld ? "ref" : "unref";
  child[how]();
  child.channel?.[how]();
}

function answerOf(
  child: ChildProcess,
  request: SqliteRequest,
  signal: AbortSignal | undefined,
): Promise<SqliteAnswer> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      child.off("message", answered);
      child.off("exit", gone);
      child.off("error", gone);
      signal?.removeEventListener("abort", stop);
    };
    const answered = (message: unknown): void => {
      over();
      resolve(message as SqliteAnswer);
    };
    const gone = (): void => answered({ error: "the process of the database ended" } satisfies SqliteAnswer);
    const stop = (): void => {
      over();
      reject(signal?.reason as Error);
    };
    child.on("message", answered);
    child.on("exit", gone);
    child.on("error", gone);
    signal?.addEventListener("abort", stop, { once: true });
    child.send(request, (error) => {
      if (error !== null) gone();
    });
  });
}

const PROGRAM = join("dist", "runtime", "net", "databases", "sqlite-process.js");

/** Bundled files lie at other depths than sources. */
function programPath(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, PROGRAM);
    if (existsSync(path) || dirname(folder) === folder) return path;
  }
}
