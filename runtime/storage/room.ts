import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";

/**
 * An open folder. On Linux a name in it is reached through the open folder itself, so nothing that happens to the
 * path meanwhile leads elsewhere. Other systems have no such door: there the path is looked at again after the
 * file was opened.
 */
export interface Room {
  readonly at: (name: string) => string;
  /** Refuses when the path has come to lead elsewhere. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const DOOR = "/proc/self/fd";
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;
let hasDoor: boolean | null = null;

export interface Way {
  readonly root: string;
  /** The folders below it, none of which may be a link. */
  readonly folders: readonly string[];
  readonly make: boolean;
  readonly shown: string;
}

/** Opens a folder below the data folder, one step after the other, and makes what is missing if it is asked to. */
export function openRoom(way: Way): Promise<Room> {
  hasDoor ??= existsSync(DOOR);
  return hasDoor ? walk(way) : lookUp(way);
}

async function walk({ root, folders, make }: Way): Promise<Room> {
  let folder = await open(root, FOLDER);
  for (const name of folders) {
    const next = enter(`${DOOR}/${folder.fd}/${name}`, make);
    // The old folder is left whether the next one opens or not.
    await next.catch(() => {});
    await folder.close();
    folder = await next;
  }
  return roomOf(folder);
}

async function enter(path: string, make: boolean): Promise<FileHandle> {
  const flags = FOLDER | constants.O_NOFOLLOW;
  if (!make) return open(path, flags);
  try {
    return await open(path, flags);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await mkdir(path).catch(ignoreExisting);
    return open(path, flags);
  }
}

function ignoreExisting(error: unknown): void {
  if (systemCode(error) !== "EEXIST") throw error;
}

function roomOf(folder: FileHandle): Room {
  return {
    at: (name) => `${DOOR}/${folder.fd}/${name}`,
    check: async () => {},
    close: () => folder.close(),
  };
}

async function lookUp({ root, folders, make, shown }: Way): Promise<Room> {
  const path = resolve(join(root, ...folders));
  if (make) makeFolder(path);
  const check = async (): Promise<void> => {
    if ((await realpath(path)) !== path) throw failure(shown, "it leads out of the data folder");
  };
  await check();
  return { at: (name) => join(path, name), check, close: async () => {} };
}
