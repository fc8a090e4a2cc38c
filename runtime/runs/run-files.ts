import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { PRIVATE, replaceFile } from "../../compiler/files/replace-file.js";
import { type Owner, ownerName, parseOwner } from "./owner.js";

/** A run's file by its name: `<id>.json` waits, `<id>.<owner>.json` is held by its owner. */
export interface RunFile {
  readonly name: string;
  readonly runId: string;
  readonly owner: Owner | null;
}

const ID = /^[0-9a-z]{8,64}$/;
const FILE = /^([0-9a-z]{8,64})(?:\.([0-9a-f-]+))?\.json$/;
const DRAFT = /^[0-9a-z]{8,64}\.([0-9a-f-]+)\.tmp$/;

/** Whether a text has the form of our run ids: nothing else gets into a path. */
export const isRunId = (text: string): boolean => ID.test(text);

/** Reads a file's name; null when it is not one of ours. */
export function readFileName(name: string): RunFile | null {
  const [, runId, held] = FILE.exec(name) ?? [];
  if (runId === undefined) return null;
  const owner = held === undefined ? null : parseOwner(held);
  return held !== undefined && owner === null ? null : { name, runId, owner };
}

/** The name of a run's file. */
export function fileName(runId: string, owner: Owner | null): string {
  return owner === null ? `${runId}.json` : `${runId}.${ownerName(owner)}.json`;
}

/** The owner of a file that was not written to its end; null for any other file. */
export function draftOwner(name: string): Owner | null {
  const [, owner] = DRAFT.exec(name) ?? [];
  return owner === undefined ? null : parseOwner(owner);
}

export interface Writing {
  readonly folder: string;
  readonly runId: string;
  readonly owner: Owner;
  /** The file that is to have the text. */
  readonly name: string;
}

/** Writes a file whole or not at all: a draft that only its owner can read takes the file's name when it is on the disk. */
export async function writeWhole({ folder, runId, owner, name }: Writing, text: string): Promise<void> {
  makeFolder(folder, 0o700);
  // The owner in its name tells when nobody writes it any more.
  const draft = join(folder, `${runId}.${ownerName(owner)}.tmp`);
  await unlink(draft).catch(() => {});
  await replaceFile(join(folder, name), text, { draft, mode: PRIVATE });
}
