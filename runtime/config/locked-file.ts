import { lstatSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { acquireLock } from "../../compiler/files/lock.js";
import {
  OwnerError,
  PRIVATE,
  type Rights,
  replaceFile,
  sweepDrafts,
} from "../../compiler/files/replace-file.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { type Host, host as thisHost } from "../host.js";

/** The file keeps its old content. */
export class FileChangeError extends FlowsheetError {
  readonly file: string;
  readonly help: string | null;

  constructor(file: string, message: string, help: string | null = null) {
    super("file_unchanged", message);
    this.file = file;
    this.help = help;
  }
}

export interface LockedFile {
  /** The target, where the file is a symbolic link. */
  readonly path: string;
  readonly text: string | null;
  /** True when all users had access. A write removes it. */
  readonly wasOpen: boolean;
  /** The write is atomic and keeps owner, group and mode. A backup keeps the old text. */
  readonly write: (text: string) => Promise<void>;
  readonly restore: () => Promise<void>;
}

const MAX_SIZE = 4_000_000;
const BACKUP = ".bak";
const PATIENCE_MS = 20_000;
/** The mode bits of users outside of owner and group. */
const OTHERS = 0o007;

/** The file need not exist. A symbolic link is followed and stays a link. */
export async function withLockedFile<T>(
  file: string,
  work: (locked: LockedFile) => T | Promise<T>,
  { host = thisHost, staleMs }: { readonly host?: Host; readonly staleMs?: number } = {},
): Promise<T> {
  const path = realPath(resolve(file));
  const lock = await acquireLock(`${path}.lock`, { patienceMs: PATIENCE_MS, staleMs }).catch((error) => {
    throw lockError(path, error);
  });
  try {
    const { text: before, rights } = readFile(path, host);
    for (const written of [path, path + BACKUP]) await sweepDrafts(written);
    const ready = async (): Promise<void> => {
      if (!(await lock.isMine()))
        throw new FileChangeError(path, "somebody else has begun to change it", "try again");
    };
    const wasOpen = rights !== null && (rights.mode & OTHERS) !== 0;
    const write = (text: string): Promise<void> =>
      told(path, async () => {
        if (before !== null) await replaceFile(path + BACKUP, before, { mode: PRIVATE, ready });
        await replaceFile(path, text, { mode: PRIVATE, rights: closed(rights), needsOwner: true, ready });
      });
    const restore = async (): Promise<void> => {
      if (before === null) rmSync(path, { force: true });
      else await replaceFile(path, before, { rights, needsOwner: true });
    };
    return await work({ path, text: before, wasOpen, write, restore });
  } finally {
    await lock.release();
  }
}

/** The file may hold keys, so other users lose access. */
const closed = (rights: Rights | null): Rights | null =>
  rights && { uid: rights.uid, gid: rights.gid, mode: rights.mode & ~OTHERS };

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw new FileChangeError(file, reasonFor(error));
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new FileChangeError(file, "it is a link that leads nowhere");
  }
  const folder = dirname(file);
  try {
    return join(realpathSync(folder), basename(file));
  } catch (error) {
    throw new FileChangeError(
      file,
      systemCode(error) === "ENOENT" ? `there is no folder ${folder}` : reasonFor(error),
    );
  }
}

function readFile(
  path: string,
  { uid = null }: Host,
): { readonly text: string | null; readonly rights: Rights | null } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { text: null, rights: null };
  if (!stats.isFile()) throw new FileChangeError(path, "it is not a file");
  if (uid !== null && uid !== 0 && stats.uid !== uid) {
    // Renaming over it would change its owner, and only root could change it back.
    throw new FileChangeError(path, "it belongs to another user", "run this as that user");
  }
  if (stats.size > MAX_SIZE) throw new FileChangeError(path, "the file is larger than 1 MB");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { text, rights: stats };
  } catch (error) {
    throw new FileChangeError(path, systemCode(error) === null ? "it is not UTF-8 text" : reasonFor(error));
  }
}

async function told(path: string, writing: () => Promise<void>): Promise<void> {
  try {
    await writing();
  } catch (error) {
    if (error instanceof FileChangeError) throw error;
    if (!(error instanceof OwnerError))
      throw new FileChangeError(path, `it cannot be written: ${reasonFor(error)}`, "the file is as it was");
    const help = "run this as its owner, who must be in its group, or as root";
    throw new FileChangeError(path, "its owner and group cannot be kept", help);
  }
}

function lockError(path: string, error: unknown): FileChangeError {
  if (systemCode(error) === "ELOCKED")
    return new FileChangeError(
      path,
      "another process is changing it",
      `if there is none, remove ${path}.lock`,
    );
  return new FileChangeError(path, `it cannot be written: ${reasonFor(error)}`);
}

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
  const code = systemCode(error);
  return REASONS[String(code)] ?? (typeof code === "string" ? code : "it is not possible");
}
