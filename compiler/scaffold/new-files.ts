import { constants, copyFileSync, lstatSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { wayInside } from "../files/inside.js";
import { makeFolder } from "../files/make-folder.js";
import { replaceFileSync } from "../files/replace-file.js";
import { systemCode } from "../files/system-code.js";

export interface NewFiles {
  /** Symbolic links must not lead a path out of this folder. */
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  readonly force: boolean;
}

export class NewFileError extends Error {
  readonly path: string;
  readonly why: string;

  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.name = "NewFileError";
    this.path = path;
    this.why = why;
  }
}

/** A symbolic link counts as taken, even a broken one. */
export const takenPaths = (paths: Iterable<string>): readonly string[] => [...paths].filter(isThere);

/**
 * `force` replaces regular files only. All checks come before the first write, so a refusal changes nothing. Symbolic
 * links in place of files are never followed.
 */
export function writeNewFiles({ root, files, force }: NewFiles): void {
  const real = [...files].map(([path, text]) => ({ path, text, folder: realFolder(dirname(path), root) }));
  for (const path of takenPaths(files.keys())) {
    if (!force) throw new NewFileError(path, "it is there already");
    if (!lstatSync(path).isFile()) throw new NewFileError(path, "it is no ordinary file");
  }
  for (const { path, text, folder } of real) {
    makeFolder(folder);
    const target = join(folder, basename(path));
    if (force) replaceFileSync(target, text);
    else create(target, text, path);
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (NO_WAY.has(systemCode(error))) return false;
    throw error;
  }
}

/** These errors mean that the path cannot exist. The later write reports the reason. */
const NO_WAY: ReadonlySet<unknown> = new Set(["ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

function realFolder(folder: string, root: string): string {
  const missing: string[] = [];
  let there = folder;
  while (!isThere(there) && dirname(there) !== there) {
    missing.unshift(basename(there));
    there = dirname(there);
  }
  if (!statSync(there, { throwIfNoEntry: false })?.isDirectory())
    throw new NewFileError(folder, `${there} is no folder`);
  const real = realpathSync(there);
  const rootThere = statSync(root, { throwIfNoEntry: false }) !== undefined;
  const isOfProject = rootThere && wayInside(root, folder) !== null;
  if (isOfProject && wayInside(realpathSync(root), real) === null)
    throw new NewFileError(folder, "a link on the way leads out of the project");
  return join(real, ...missing);
}

/** `wx` detects a file that was created after the check. */
function create(target: string, text: string, shown: string): void {
  try {
    writeFileSync(target, text, { flag: "wx" });
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw new NewFileError(shown, "it is there already");
    throw error;
  }
}

/** Copies each file to a free name beside it. Returns the copies by file. */
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
