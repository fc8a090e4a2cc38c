import { type Owner, ownerName, parseOwner } from "../owner.js";

/** `<id>.json` waits, `<id>.<owner>.json` is held by its owner. */
export interface RunFile {
  readonly name: string;
  readonly runId: string;
  readonly owner: Owner | null;
}

const ID = /^[0-9a-z]{8,64}$/;
const FILE = /^([0-9a-z]{8,64})(?:\.([0-9a-f-]+))?\.json$/;
const DRAFT = /^[0-9a-z]{8,64}\.([0-9a-f-]+)\.tmp$/;

/** Ids become file names, so nothing else may pass. */
export const isRunId = (text: string): boolean => ID.test(text);

export function readFileName(name: string): RunFile | null {
  const [, runId, held] = FILE.exec(name) ?? [];
  if (runId === undefined) return null;
  const owner = held === undefined ? null : parseOwner(held);
  return held !== undefined && owner === null ? null : { name, runId, owner };
}

export function fileName(runId: string, owner: Owner | null): string {
  return owner === null ? `${runId}.json` : `${runId}.${ownerName(owner)}.json`;
}

/** A temporary file. Its name includes the owner, so that it can be deleted when the owner is gone. */
export const draftName = (runId: string, owner: Owner): string => `${runId}.${ownerName(owner)}.tmp`;

/** Null for any other file. */
export function draftOwner(name: string): Owner | null {
  const [, owner] = DRAFT.exec(name) ?? [];
  return owner === undefined ? null : parseOwner(owner);
}
