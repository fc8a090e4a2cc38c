import type { Stats } from "node:fs";

/** Whether a file is as it was, as far as the system tells. A file that is not there has no stats. */
export const isSameVersion = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one?.size === other?.size &&
  one?.mtimeMs === other?.mtimeMs &&
  one?.ctimeMs === other?.ctimeMs &&
  one?.ino === other?.ino;

/** The version of a file as a text, to compare or to find it by. */
export const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string =>
  `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
