import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

// One by one: all of node:fs would load Node's streams as well.
const nodeFs = { openSync, writeSync, fsyncSync, closeSync, renameSync, unlinkSync, fchmodSync };

/** The calls of the file system that writing needs: a test may make each of them fail. */
export type FileCalls = typeof nodeFs;

/** Only the owner may read what may hold keys. */
const PRIVATE = 0o600;

/**
 * Writes a file whole or not at all: a draft that only its owner can read takes the file's name when it is on the
 * disk. Whoever is killed in between leaves a draft, which `sweepDrafts` takes away.
 */
export function writeWholeFile(file: string, text: string, fs: FileCalls = nodeFs): void {
  const draft = join(dirname(file), `${draftPrefix(file)}${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeDraft(draft, Buffer.from(text), fs);
    fs.renameSync(draft, file);
  } catch (error) {
    removeQuietly(draft, fs);
    throw error;
  }
  syncFolder(dirname(file), fs);
}

const draftPrefix = (file: string): string => `.${basename(file)}.`;

function writeDraft(draft: string, bytes: Buffer, fs: FileCalls): void {
  const descriptor = fs.openSync(draft, "wx", PRIVATE);
  try {
    // Whatever the process's mask made of it.
    fs.fchmodSync(descriptor, PRIVATE);
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
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
