import { statSync } from "node:fs";
import type { ts } from "ts-morph";

/** Whether a path leads to a file that can be read to its end; a pipe would be waited for. */
export const isPlainFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
};

/** The files of the system as TypeScript reads a configuration from them, without what never ends. */
export const plainFiles = (system: ts.System): ts.System => ({
  ...system,
  fileExists: isPlainFile,
  readFile: (path, encoding) => (isPlainFile(path) ? system.readFile(path, encoding) : undefined),
});
