import { isAbsolute, relative, sep } from "node:path";

/** The way from a folder to a path in it; empty for the folder itself, null for a path outside of it. */
export function wayInside(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}
