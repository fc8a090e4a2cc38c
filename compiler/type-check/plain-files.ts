import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { ts } from "ts-morph";

/** Reading a pipe would block until somebody writes to it. */
export const isPlainFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
};

/** TypeScript's file access, restricted to regular files. */
export const plainFiles = (system: ts.System): ts.System => ({
  ...system,
  fileExists: isPlainFile,
  readFile: (path, encoding) => (isPlainFile(path) ? system.readFile(path, encoding) : undefined),
});

/** The folder itself, then its parents up to the root of the file system. */
export function foldersUpwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)];
}
