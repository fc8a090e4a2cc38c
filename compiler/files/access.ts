import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";

/** Null for what is not there, or cannot be looked at: a part of its path may be a file. */
export function kindOf(path: string): "folder" | "other" | null {
  try {
    return statSync(path).isDirectory() ? "folder" : "other";
  } catch {
    return null;
  }
}

/** Whether this user may do something with a path, as `fs.constants` names it. */
export function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Whether files can be written into a folder; one that is not there yet is made when it is needed. */
export function canWriteInto(path: string): boolean {
  let folder = path;
  while (kindOf(folder) === null && dirname(folder) !== folder) folder = dirname(folder);
  return kindOf(folder) === "folder" && may(folder, constants.W_OK | constants.X_OK);
}
