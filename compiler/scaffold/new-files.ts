import { lstatSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { wayInside } from "../files/inside.js";
import { makeFolder } from "../files/make-folder.js";
import { replaceFileSync } from "../files/replace-file.js";
import { systemCode } from "../files/system-code.js";

/** Files that are to be made, by absolute path. */
export interface NewFiles {
  /** A path that lies in this folder must not leave it by a link. */
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  /** What is there already is replaced. */
  readonly force: boolean;
}

/** A file that is not written, and why. */
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

/** The paths at which something stands already; a link counts, wherever it leads. */
export const takenPaths = (paths: Iterable<string>): readonly string[] => [...paths].filter(isThere);

/**
 * Writes files that are not there yet; with `force` also in the place of files, never of anything else. Nothing
 * is written when one of them cannot be. Links are not followed: a file is written where its path says, or not at all.
 */
export function writeNewFiles({ root, files, force }: NewFiles): void {
  const real = [...files].map(([path, text]) => ({ path, text, folder: realFolder(dirname(path), root) }));
  for (const { path } of real) if (isThere(path)) checkReplaceable(path, force);
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

/** The way to a path is none: a file or a circle of links is on it, or a closed folder. Writing there says which. */
const NO_WAY: ReadonlySet<unknown> = new Set(["ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

function checkReplaceable(path: string, force: boolean): void {
  if (!force) throw new NewFileError(path, "it is there already");
  if (!lstatSync(path).isFile()) throw new NewFileError(path, "it is no ordinary file");
}

/** The folder as it really is, all links followed; it need not be there yet. */
function realFolder(folder: string, root: string): string {
  const missing: string[] = [];
  let there = folder;
  while (!isThere(there) && dirname(there) !== there) {
    missing.unshift(basename(there));
    there = dirname(there);
  }
  const real = resolveLinks(there, folder);
  const rootThere = statSync(root, { throwIfNoEntry: false }) !== undefined;
  const isOfProject = rootThere && wayInside(root, folder) !== null;
  if (isOfProject && wayInside(realpathSync(root), real) === null)
    throw new NewFileError(folder, "a link on the way leads out of the project");
  return join(real, ...missing);
}

function resolveLinks(path: string, wanted: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new NewFileError(wanted, `${path} is no folder`);
  return realpathSync(path);
}

/** Fails when anything has come there meanwhile. */
function create(target: string, text: string, shown: string): void {
  try {
    writeFileSync(target, text, { flag: "wx" });
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw new NewFileError(shown, "it is there already");
    throw error;
  }
}
