import { randomBytes } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { makeFolderSync } from "../make-folder.js";

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
    makeFolderSync(folder);
    const target = join(folder, basename(path));
    if (force) replace(target, text);
    else create(target, text, path);
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && NO_WAY.has(error.code)) return false;
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
  if (rootThere && isInside(folder, root) && !isInside(real, realpathSync(root)))
    throw new NewFileError(folder, "a link on the way leads out of the project");
  return join(real, ...missing);
}

function resolveLinks(path: string, wanted: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new NewFileError(wanted, `${path} is no folder`);
  return realpathSync(path);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Fails when anything has come there meanwhile. */
function create(target: string, text: string, shown: string): void {
  try {
    writeTo(target, text);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new NewFileError(shown, "it is there already");
    throw error;
  }
}

/** A file beside it takes its place at once. */
function replace(target: string, text: string): void {
  const made = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeTo(made, text);
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

function writeTo(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    const bytes = new TextEncoder().encode(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  } finally {
    closeSync(file);
  }
}
