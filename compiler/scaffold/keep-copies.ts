import { constants, copyFileSync, lstatSync } from "node:fs";

/** Keeps a copy of each file beside it, under a name that is free. Gives the copies by file. */
export function keepCopies(files: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...files].map((file) => [file, keepCopy(file)]));
}

function keepCopy(file: string): string {
  for (let count = 1; ; count++) {
    const copy = `${file}.bak${count === 1 ? "" : count}`;
    if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) continue;
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}
