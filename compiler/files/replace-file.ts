import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, readdir, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The content of a file, whole or piece by piece. */
export type Content =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

export interface Rights {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

export interface ReplaceOptions {
  /** The rights of the file; without them and without a mode, the system's default. */
  readonly rights?: Rights | null;
  /** Refuses with an `OwnerError` when owner and group of `rights` cannot be set. */
  readonly needsOwner?: boolean;
  /** The mode of the file, independent of the umask. */
  readonly mode?: number;
  /** The file that holds the new content until it is whole; it must be in the same folder. */
  readonly draft?: string;
  /** Called when the draft is on the disk, before it is renamed: the last chance to refuse. */
  readonly ready?: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Only the owner may read and write. */
export const PRIVATE = 0o600;

/** Owner and group of a file cannot be kept. */
export class OwnerError extends Error {}

/**
 * Replaces a file atomically: a draft beside it is written to the disk, then renamed. A reader sees the old file
 * or the new one, also after `kill -9`, a full disk or a power cut. A link at this path is replaced, not followed.
 */
export async function replaceFile(
  path: string,
  content: Content,
  options: ReplaceOptions = {},
): Promise<void> {
  const { draft = draftOf(path), rights = null, mode, ready, signal } = options;
  const file = await open(draft, "wx", rights === null && mode === undefined ? 0o666 : PRIVATE);
  try {
    try {
      await setRights(file, options);
      await writeFile(file, buffered(content, signal));
      await file.sync();
    } finally {
      await file.close();
    }
    await ready?.();
    signal?.throwIfAborted();
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The same for a file that exists: its owner, group and mode stay, and a link to it is followed. */
export async function replaceContent(path: string, content: Content): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await replaceFile(target, content, { rights: await stat(target).catch(() => null) });
}

/** Synchronous, for a small file and a process that may be about to end. */
export function replaceFileSync(path: string, text: string, mode = 0o666): void {
  const draft = draftOf(path);
  try {
    const file = openSync(draft, "wx", mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

/** Removes the drafts of killed processes. Only the holder of the file's lock may call it. */
export async function sweepDrafts(path: string): Promise<void> {
  const [folder, prefix] = [dirname(path), draftPrefix(path)];
  for (const name of await readdir(folder))
    if (name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)))
      await unlink(join(folder, name)).catch(() => {});
}

const draftOf = (path: string): string =>
  join(dirname(path), `${draftPrefix(path)}${randomBytes(6).toString("hex")}.tmp`);

/** File systems allow 255 bytes for a name. */
function draftPrefix(path: string): string {
  const name = basename(path);
  const isLong = Buffer.byteLength(name) > 200;
  return `.${isLong ? createHash("sha256").update(name).digest("hex") : name}.`;
}

async function setRights(file: FileHandle, { rights, needsOwner, mode }: ReplaceOptions): Promise<void> {
  if (rights) {
    const { uid, gid } = await file.stat();
    if (uid !== rights.uid || gid !== rights.gid)
      await file.chown(rights.uid, rights.gid).catch(() => {
        if (needsOwner === true) throw new OwnerError();
      });
  }
  // The mode goes last: a change of the owner clears parts of it.
  const wanted = rights?.mode ?? mode;
  if (wanted !== undefined) await file.chmod(wanted & 0o7777);
}

/** Small pieces are buffered, because a write to a file costs more than a copy in memory. */
const BUFFER = 256 * 1024;

async function* buffered(
  content: Content,
  signal: AbortSignal | undefined,
): AsyncGenerator<string | Uint8Array> {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  let text = "";
  for await (const piece of isWhole ? [content] : content) {
    signal?.throwIfAborted();
    if (typeof piece === "string") text += piece;
    if (typeof piece === "string" && text.length < BUFFER) continue;
    yield text;
    text = "";
    if (typeof piece !== "string") yield piece;
  }
  yield text;
}

/** A rename survives a power cut only after this. Some systems cannot do it, but the file is complete anyway. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const opened = await open(folder, "r");
    await opened.sync().finally(() => opened.close());
  } catch {}
}
