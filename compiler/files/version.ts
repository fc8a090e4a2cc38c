import type { Stats } from "node:fs";

/** It stays the same while a file does not change. */
export const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string =>
  `${mtimeMs} ${ctimeMs} ${size} ${ino}`;

/** A missing file has no stats. */
export const isSameVersion = (one: Stats | undefined, other: Stats | undefined): boolean =>
  (one && versionOf(one)) === (other && versionOf(other));
