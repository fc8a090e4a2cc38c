import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, open, readdir, rename, unlink } from "node:fs/promises";
import { look, type Spot } from "./jail.js";

/** The new content of a file, piece by piece. */
export type Content = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

export interface Replacement {
  readonly content: Content;
  readonly signal: AbortSignal | undefined;
  /** Called when all is on the disk, before the file takes its name: the last chance to say no. */
  readonly ready: () => Promise<void>;
}

/** Gathers small pieces: each write to a file costs as much as many copies. */
const BUFFER = 256 * 1024;

/**
 * Replaces a file at once: a draft beside it takes its name when it is on the disk, so a reader, also one after a
 * crash, sees the old file or the new one. Mode and owner are kept.
 */
export async function replaceFile(spot: Spot, { content, signal, ready }: Replacement): Promise<void> {
  const { room, name } = spot;
  const old = await look(spot);
  // A file that may not be written is not replaced either.
  if (old !== null) await access(room.at(name), constants.W_OK);
  const stem = `.${createHash("sha256").update(name).digest("hex").slice(0, 16)}-`;
  await sweep(spot, stem);
  const draft = room.at(`${stem}${randomBytes(6).toString("hex")}.tmp`);
  const file = await open(draft, "wx", 0o666);
  try {
    try {
      await keepRights(file, old);
      await pour(file, content, signal);
      await file.sync();
    } finally {
      await file.close();
    }
    await look(spot);
    await room.check();
    await ready();
    signal?.throwIfAborted();
    await rename(draft, room.at(name));
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  await room.sync();
}

/** Drafts that a killed process left; the file's lock is held, so nobody is writing one. */
async function sweep({ room }: Spot, stem: string): Promise<void> {
  for (const name of await readdir(room.at("."))) {
    if (name.startsWith(stem) && name.endsWith(".tmp")) await unlink(room.at(name)).catch(() => {});
  }
}

async function keepRights(file: FileHandle, old: Stats | null): Promise<void> {
  if (old === null) return;
  const { uid, gid } = await file.stat();
  // Only the administrator can give files away; the mode goes last, since giving away clears parts of it.
  if (uid !== old.uid || gid !== old.gid) await file.chown(old.uid, old.gid).catch(() => {});
  await file.chmod(old.mode & 0o7777);
}

async function pour(file: FileHandle, content: Content, signal: AbortSignal | undefined): Promise<void> {
  let texts: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (length > 0) await file.writeFile(texts.join(""));
    texts = [];
    length = 0;
  };
  for await (const piece of content) {
    signal?.throwIfAborted();
    if (typeof piece === "string") {
      texts.push(piece);
      length += piece.length;
      if (length >= BUFFER) await flush();
    } else {
      await flush();
      await file.writeFile(piece);
    }
  }
  await flush();
}

/** Removes a file; false when it is not there. */
export async function removeFile(spot: Spot): Promise<boolean> {
  const { room, name } = spot;
  const old = await look(spot);
  if (old === null) return false;
  await access(room.at(name), constants.W_OK);
  await unlink(room.at(name));
  await room.sync();
  return true;
}
