import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./system-code.js";

/**
 * Creates a folder and its missing parents. Several processes may create the same ones at once.
 * Node's recursive mkdir never ends when an existing parent gives ENOENT, as in /proc, so each is made by itself.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    // A caller would take ENOENT for a missing file.
    if (systemCode(error) !== "ENOENT") throw error;
    const refusal = new Error(`no folder can be made in ${dirname(path)}`, { cause: error });
    throw Object.assign(refusal, { code: "ENOTSUP", path });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
