import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";

/** Null for a missing path, and for one that cannot be read: a part of it may be a file. */
export function kindOf(path: string): "folder" | "other" | null {
  try {
    return statSync(path).isDirectory() ? "folder" : "other";
  } catch {
    return null;
  }
}

/** True when this user has the permission; `mode` is one of `fs.constants`. */
export function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** A missing folder counts when it can be created. */
export function canWriteInto(path: string): boolean {
  let folder = path;
  while (kindOf(folder) === null && dirname(folder) !== folder) folder = dirname(folder);
  return kindOf(folder) === "folder" && may(folder, constants.W_OK | constants.X_OK);
}
