import type { Stats } from "node:fs";

/** It stays the same while a file does not change. */
export const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string =>
  `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
