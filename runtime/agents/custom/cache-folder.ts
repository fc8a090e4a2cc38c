import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../../compiler/files/make-folder.js";
import { FlowsheetError } from "../../graph/contract/errors.js";
import { host } from "../../host.js";

export const cacheOf = (root: string): string => join(root, ".flowsheet", "cache");

const known = new Map<string, string>();

/** In the project, else a temporary folder. Code is loaded from it, so no other user may write to it. */
export function usableCache(wanted: string): string {
  const found = known.get(wanted);
  if (found !== undefined) return found;
  const folder = isUsable(wanted) ? wanted : temporary(wanted);
  known.set(wanted, folder);
  return folder;
}

/** A short hash of a path. `node:crypto` would take longer to load. */
export function shortHash(path: string): string {
  let mixed = 0;
  for (let i = 0; i < path.length; i++) mixed = (Math.imul(mixed, 31) + path.charCodeAt(i)) >>> 0;
  return mixed.toString(36);
}

function isUsable(folder: string): boolean {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function temporary(wanted: string): string {
  const { uid = null } = host;
  const folder = join(tmpdir(), `flowsheet-cache-${uid ?? "user"}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists or cannot be made; the owner is checked below.
  }
  try {
    if (!isOwn(folder, uid)) return mkdtempSync(join(tmpdir(), "flowsheet-cache-"));
    const own = join(folder, shortHash(wanted));
    makeFolder(own);
    return own;
  } catch {
    const message = `agents are bundled, and the bundles can be written neither to ${wanted} nor to ${tmpdir()}; make one of them writable, or name another with TMPDIR`;
    throw new FlowsheetError("agent_unusable", message);
  }
}

/** Another user may have made a folder of this name first. */
function isOwn(folder: string, uid: number | null): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  return uid === null || (stats.uid === uid && (stats.mode & 0o022) === 0);
}
