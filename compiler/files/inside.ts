import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** The relative path from a folder; empty for the folder itself, null for a path outside of it. */
export function wayInside(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}

/** The stats of a file in a folder; null for anything but a file, and for a link that leads out of the folder. */
export function fileInside(folder: string, path: string): Stats | null {
  try {
    const stats = lstatSync(path);
    if (!stats.isSymbolicLink()) return stats.isFile() ? stats : null;
    const target = realpathSync(path);
    const aim = statSync(target);
    return aim.isFile() && wayInside(realpathSync(folder), target) !== null ? aim : null;
  } catch {
    return null;
  }
}
