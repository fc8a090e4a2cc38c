import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";

/**
 * An open directory. On Linux names are resolved through its file descriptor, so later changes of the path cannot
 * redirect them. Other systems cannot do this: there the path is checked again after opening.
 */
export interface Room {
  readonly at: (name: string) => string;
  /** Throws when the path now leads elsewhere. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const DOOR = "/proc/self/fd";
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;
let hasDoor: boolean | null = null;

export interface Way {
  readonly root: string;
  /** Subfolders; none may be a symbolic link. */
  readonly folders: readonly string[];
  readonly make: boolean;
  readonly shown: string;
}

/** Opens one level at a time. `make` creates missing folders. */
export function openRoom(way: Way): Promise<Room> {
  hasDoor ??= existsSync(DOOR);
  return hasDoor ? walk(way) : lookUp(way);
}

async function walk({ root, folders, make }: Way): Promise<Room> {
  let folder = await open(root, FOLDER);
  for (const name of folders) {
    const next = enter(`${DOOR}/${folder.fd}/${name}`, make);
    // The parent must be closed even if opening the child fails.
    await next.catch(() => {});
    await folder.close();
    folder = await next;
  }
  const at = (name: string): string => `${DOOR}/${folder.fd}/${name}`;
  return { at, check: async () => {}, close: () => folder.close() };
}

async function enter(path: string, make: boolean): Promise<FileHandle> {
  const flags = FOLDER | constants.O_NOFOLLOW;
  if (!make) return open(path, flags);
  try {
    return await open(path, flags);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await mkdir(path).catch((failed: unknown) => {
      if (systemCode(failed) !== "EEXIST") throw failed;
    });
    return open(path, flags);
  }
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
