import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

// One by one: all of node:fs would load Node's streams as well.
const nodeFs = {
  openSync,
  writeSync,
  fsyncSync,
  closeSync,
  renameSync,
  unlinkSync,
  fchmodSync,
  fchownSync,
  fstatSync,
};

/** The calls of the file system that writing needs: a test may make each of them fail. */
export type FileCalls = typeof nodeFs;

/** Whom a file belongs to, and who may do what with it. */
export interface Owned {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Only the owner may read what may hold keys. */
const PRIVATE = 0o600;

/** What all others than owner and group may do. */
export const OTHERS = 0o007;

/** The owner or the group of a file cannot be kept. */
export class OwnerError extends Error {}

/**
 * Writes a file whole or not at all: a draft that only its owner can read takes the file's name when it is on the
 * disk. Whoever is killed in between leaves a draft, which `sweepDrafts` takes away. The file gets the owner, the group
 * and the mode of `like`; without it only this user may read it.
 */
export function writeWholeFile(
  file: string,
  text: string,
  fs: FileCalls = nodeFs,
  like: Owned | null = null,
): void {
  const draft = join(dirname(file), `${draftPrefix(file)}${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeDraft(draft, Buffer.from(text), { fs, like });
    fs.renameSync(draft, file);
  } catch (error) {
    removeQuietly(draft, fs);
    throw error;
  }
  syncFolder(dirname(file), fs);
}

const draftPrefix = (file: string): string => `.${basename(file)}.`;

interface Drafting {
  readonly fs: FileCalls;
  readonly like: Owned | null;
}

function writeDraft(draft: string, bytes: Buffer, { fs, like }: Drafting): void {
  const descriptor = fs.openSync(draft, "wx", PRIVATE);
  try {
    if (like !== null) keepOwner(descriptor, like, fs);
    // Whatever the process's mask made of it.
    fs.fchmodSync(descriptor, like === null ? PRIVATE : like.mode & 0o7777);
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, { uid, gid }: Owned, fs: FileCalls): void {
  const draft = fs.fstatSync(descriptor);
  if (draft.uid === uid && draft.gid === gid) return;
  try {
    fs.fchownSync(descriptor, uid, gid);
  } catch {
    throw new OwnerError();
  }
}

function removeQuietly(file: string, fs: FileCalls): void {
  try {
    fs.unlinkSync(file);
  } catch {}
}

/** Makes the renaming last. Not every system can; what is written is whole all the same. */
function syncFolder(folder: string, fs: FileCalls): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {}
}

/** Removes what was left by those who were killed while they wrote this file. Only who holds its lock may call it. */
export function sweepDrafts(file: string): void {
  const prefix = draftPrefix(file);
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)))
      removeQuietly(join(folder, name), nodeFs);
  }
}
