import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { wayInside } from "../../compiler/files/inside.js";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { ifThere, systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";
import { isAllowed } from "./file-name.js";
import { openRoom, type Room } from "./room.js";

/** A file's place: the open folder it stands in, and its name there. */
export interface Spot {
  /** The real path of the data folder. */
  readonly root: string;
  readonly room: Room;
  readonly name: string;
  /** The path inside the data folder after links were followed: one file has one. */
  readonly key: string;
  readonly shown: string;
}

export interface WantedFile {
  readonly root: string;
  readonly parts: readonly string[];
  readonly shown: string;
  readonly make: boolean;
}

/** Does something at a file's place; null when a folder on the way is not there. */
export async function atSpot<T>(wanted: WantedFile, work: (spot: Spot) => Promise<T>): Promise<T | null> {
  const { make, shown } = wanted;
  if (make) makeFolder(wanted.root);
  const root = await ifThere(realpath(wanted.root));
  if (root === null) return null;
  const parts = await followLinks(root, wanted);
  const folders = parts.slice(0, -1);
  const room = await openRoom({ root, folders, make, shown }).catch((error: unknown) => {
    if (!make && systemCode(error) === "ENOENT") return null;
    throw error;
  });
  if (room === null) return null;
  try {
    const name = parts[parts.length - 1] as string;
    return await work({ root, room, name, key: join(root, ...parts), shown });
  } finally {
    await room.close();
  }
}

/** The parts of the real path, which must be inside the root. What is not there yet is taken as it stands. */
async function followLinks(root: string, { parts, shown }: WantedFile): Promise<readonly string[]> {
  for (let known = parts.length; known > 0; known--) {
    const path = join(root, ...parts.slice(0, known));
    const real = await ifThere(realpath(path)).catch((error: unknown) => {
      throw systemCode(error) === "ELOOP" ? failure(shown, "its links lead in a circle") : error;
    });
    if (real === null) continue;
    const rest = parts.slice(known);
    if (rest[0] !== undefined) await refuseDeadLink(join(real, rest[0]), shown);
    return inside(root, real, { rest, shown });
  }
  await refuseDeadLink(join(root, parts[0] as string), shown);
  return parts;
}

function inside(
  root: string,
  real: string,
  { rest, shown }: { readonly rest: readonly string[]; readonly shown: string },
): readonly string[] {
  const way = wayInside(root, real);
  if (way === null) throw failure(shown, "it leads out of the data folder");
  const parts = [...(way === "" ? [] : way.split(sep)), ...rest];
  if (parts.length === 0) throw failure(shown, "it is a folder");
  if (!isAllowed(parts)) throw failure(shown, "it is a link to a file that is not for agents");
  return parts;
}

async function refuseDeadLink(path: string, shown: string): Promise<void> {
  const stats = await ifThere(lstat(path));
  if (stats?.isSymbolicLink() === true) throw failure(shown, "it is a link that leads nowhere");
}

/** What is known of the file at a place; null when there is none. Anything but a plain file is refused. */
export async function look({ room, name, shown }: Spot): Promise<Stats | null> {
  const stats = await ifThere(lstat(room.at(name)));
  if (stats !== null) refuseSpecial(stats, shown);
  return stats;
}

function refuseSpecial(stats: Stats, shown: string): void {
  if (stats.isDirectory()) throw failure(shown, "it is a folder");
  if (!stats.isFile()) throw failure(shown, "it is no regular file");
  // The same file may stand outside under another name.
  if (stats.nlink > 1) throw failure(shown, "it has a second name (a hard link), which may be anywhere");
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens the file at a place; null when there is none. It is looked at again once it is open. */
export async function openForReading(spot: Spot): Promise<OpenFile | null> {
  const { room, name, shown } = spot;
  if ((await look(spot)) === null) return null;
  // Not blocking: it may have become a pipe since it was looked at.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await ifThere(open(room.at(name), flags));
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    // A file that was replaced meanwhile has lost its name: what is open is its last version.
    if (stats.nlink !== 0) refuseSpecial(stats, shown);
    await room.check();
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
