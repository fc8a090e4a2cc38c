import { constants, type Stats } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { wayInside } from "../../compiler/files/inside.js";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { ifThere, systemCode } from "../../compiler/files/system-code.js";
import { failure } from "./failure.js";
import { isAllowed } from "./file-name.js";
import { openRoom, type Room } from "./room.js";
import type { Source } from "./source.js";

export interface Spot {
  readonly root: string;
  readonly room: Room;
  readonly name: string;
  /** The real path, which is unique for each file: locks use it. */
  readonly key: string;
  readonly shown: string;
}

export interface WantedFile {
  readonly root: string;
  readonly parts: readonly string[];
  readonly shown: string;
  readonly make: boolean;
}

/** Null when a folder of the path does not exist. */
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

/** The real path must be inside the root. Parts that do not exist yet stay as given. */
async function followLinks(root: string, { parts, shown }: WantedFile): Promise<readonly string[]> {
  for (let known = parts.length; known > 0; known--) {
    const path = join(root, ...parts.slice(0, known));
    const real = await ifThere(realpath(path)).catch((error: unknown) => {
      throw systemCode(error) === "ELOOP" ? failure(shown, "its links lead in a circle") : error;
    });
    if (real === null) continue;
    const rest = parts.slice(known);
    if (rest[0] !== undefined) await refuseDeadLink(join(real, rest[0]), shown);
    return inside(root, real, rest, shown);
  }
  await refuseDeadLink(join(root, parts[0] as string), shown);
  return parts;
}

function inside(root: string, real: string, rest: readonly string[], shown: string): readonly string[] {
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

/** Null when there is no file. Only plain files are accepted. */
export async function look({ room, name, shown }: Spot): Promise<Stats | null> {
  const stats = await ifThere(lstat(room.at(name)));
  if (stats !== null) refuseSpecial(stats, shown);
  return stats;
}

function refuseSpecial(stats: Stats, shown: string): void {
  if (stats.isDirectory()) throw failure(shown, "it is a folder");
  if (!stats.isFile()) throw failure(shown, "it is no regular file");
  // A hard link may be a file outside of the data folder.
  if (stats.nlink > 1) throw failure(shown, "it has a second name (a hard link), which may be anywhere");
}

/** Null when there is no file. It is checked again after opening. */
export async function openForReading(spot: Spot): Promise<Pick<Source, "handle" | "stats"> | null> {
  const { room, name, shown } = spot;
  if ((await look(spot)) === null) return null;
  // Opening a pipe would block, and the file may have become one.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await ifThere(open(room.at(name), flags));
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    // A replaced file has no name any more: the open handle reads its last version.
    if (stats.nlink !== 0) refuseSpecial(stats, shown);
    await room.check();
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
