import type { Stats } from "node:fs";

/** Two equal stats mean that a file has not changed. A missing file has no stats. */
export const isSameVersion = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one?.size === other?.size &&
  one?.mtimeMs === other?.mtimeMs &&
  one?.ctimeMs === other?.ctimeMs &&
  one?.ino === other?.ino;

/** The same as a text, for a key. */
export const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string =>
  `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
