import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing; several may make the same ones at once. One by one, since Node's
 * own way to make several has no end where the system says ENOENT of a folder whose parent is there, as Linux does
 * in /proc.
 */
export function makeFolderSync(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw folderRefusal(error, path);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** What the system says of a folder that it does not make, though its parent is there. */
export function folderRefusal(error: unknown, path: string): unknown {
  // As it stands, that would be taken for a file that is missing.
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") return error;
  const refusal = new Error(`no folder can be made in ${dirname(path)}`, { cause: error });
  return Object.assign(refusal, { code: "ENOTSUP", path });
}
