import { lstatSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FlowsheetError } from "../graph/contract/errors.js";
import { type Host, host as thisHost } from "../host.js";
import { type FileCalls, OTHERS, type Owned, OwnerError, sweepDrafts, writeWholeFile } from "./whole-file.js";

/** A file cannot be changed; it is as it was. */
export class FileChangeError extends FlowsheetError {
  readonly file: string;
  readonly help: string | null;

  constructor(file: string, message: string, help: string | null = null) {
    super("file_unchanged", message);
    this.file = file;
    this.help = help;
  }
}

/** A file that nobody else changes meanwhile. */
export interface LockedFile {
  /** The file itself, where a link leads to it. */
  readonly path: string;
  /** What it holds; null when there is none yet. */
  readonly text: string | null;
  /** Whether others than its owner and group could use it; once it is written they cannot. */
  readonly wasOpen: boolean;
  /** Puts a text in its place, whole or not at all, with its owner, group and mode; the old one is kept beside it. */
  readonly write: (text: string) => void;
  /** Puts back what was there before. */
  readonly restore: () => void;
}

export interface LockOptions {
  readonly host?: Host;
  readonly fs?: FileCalls;
  /** A lock whose holder has not been heard of for so long is no lock. */
  readonly staleMs?: number;
}

const STALE_MS = 5_000;
const MAX_SIZE = 4_000_000;
const BACKUP = ".bak";

/** Holds a file for changes; it may not be there yet. A link is followed, and stays a link. */
export async function withLockedFile<T>(
  file: string,
  work: (locked: LockedFile) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { host = thisHost, staleMs = STALE_MS } = options;
  const path = realPath(resolve(file));
  const lockfile = await import("proper-lockfile");
  let lost = false;
  const lock = (): Promise<() => Promise<void>> =>
    lockfile.lock(path, {
      realpath: false,
      stale: staleMs,
      update: Math.floor(staleMs / 3),
      onCompromised: () => {
        lost = true;
      },
    });
  const release = await patiently(lock).catch((error: unknown) => {
    throw lockError(path, error);
  });
  try {
    const { text, owned } = readOwned(path, host);
    const wasOpen = owned !== null && (owned.mode & OTHERS) !== 0;
    sweepDrafts(path);
    const write = (next: string): void => {
      if (lost) throw new FileChangeError(path, "somebody else has begun to change it", "try again");
      writeGuarded(path, next, { before: text, owned, fs: options.fs });
    };
    const restore = (): void => putBack(path, { before: text, owned, fs: options.fs });
    return await work({ path, text, wasOpen, write, restore });
  } finally {
    await release().catch(() => {});
  }
}

const PATIENCE_MS = 20_000;

/** Waits for whoever holds the lock, but for nothing else: a folder that cannot be written stays so. */
async function patiently<T>(lock: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await lock();
    } catch (error) {
      if (codeOf(error) !== "ELOCKED" || performance.now() > end) throw error;
      await sleep(50 + Math.random() * 150);
    }
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw new FileChangeError(file, reasonFor(error));
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new FileChangeError(file, "it is a link that leads nowhere");
  }
  const folder = dirname(file);
  try {
    return join(realpathSync(folder), basename(file));
  } catch (error) {
    throw new FileChangeError(
      file,
      codeOf(error) === "ENOENT" ? `there is no folder ${folder}` : reasonFor(error),
    );
  }
}

interface Found {
  readonly text: string | null;
  readonly owned: Owned | null;
}

function readOwned(path: string, { uid = null }: Host): Found {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { text: null, owned: null };
  if (!stats.isFile()) throw new FileChangeError(path, "it is not a file");
  if (uid !== null && uid !== 0 && stats.uid !== uid) {
    // Its place would be taken by a file of this user; only root can give it back to its owner.
    throw new FileChangeError(path, "it belongs to another user", "run this as that user");
  }
  if (stats.size > MAX_SIZE) throw new FileChangeError(path, "the file is larger than 1 MB");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { text, owned: stats };
  } catch (error) {
    throw new FileChangeError(path, codeOf(error) === null ? "it is not UTF-8 text" : reasonFor(error));
  }
}

interface Guarded {
  readonly before: string | null;
  readonly owned: Owned | null;
  readonly fs: FileCalls | undefined;
}

function writeGuarded(path: string, text: string, { before, owned, fs }: Guarded): void {
  const closed = owned === null ? null : { uid: owned.uid, gid: owned.gid, mode: owned.mode & ~OTHERS };
  try {
    if (before !== null) writeWholeFile(path + BACKUP, before, fs);
    writeWholeFile(path, text, fs, closed);
  } catch (error) {
    if (error instanceof OwnerError)
      throw new FileChangeError(
        path,
        "its owner and group cannot be kept",
        "run this as its owner, who must be in its group, or as root",
      );
    throw new FileChangeError(path, `it cannot be written: ${reasonFor(error)}`, "the file is as it was");
  }
}

function putBack(path: string, { before, owned, fs }: Guarded): void {
  if (before === null) rmSync(path, { force: true });
  else writeWholeFile(path, before, fs, owned);
}

function lockError(path: string, error: unknown): FileChangeError {
  if (codeOf(error) === "ELOCKED")
    return new FileChangeError(
      path,
      "another process is changing it",
      `if there is none, remove ${path}.lock`,
    );
  return new FileChangeError(path, `it cannot be written: ${reasonFor(error)}`);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

const REASONS: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reports an error",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its links lead in a circle",
};

function reasonFor(error: unknown): string {
  const code = codeOf(error);
  return REASONS[String(code)] ?? (typeof code === "string" ? code : "it is not possible");
}
