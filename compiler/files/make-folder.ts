import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./system-code.js";

/**
 * Makes a folder, and those above it that are missing; several processes may make the same ones at once. Each is
 * made by itself: Node's recursive mkdir never ends where Linux answers ENOENT though the parent exists, as in /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    // As it stands, ENOENT would be taken for a file that is missing.
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
