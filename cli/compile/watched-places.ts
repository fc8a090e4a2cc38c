import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { isSheetPath } from "../../runtime/workflows/workbooks.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";

/** Watched folders, with or without subfolders, and the files in them that matter. */
export interface Places {
  readonly folders: ReadonlyMap<string, Scope>;
  /** Any file in these folders may change the modules. */
  readonly whole: readonly string[];
}
interface Scope {
  readonly deep: boolean;
  /** Names of the files that are meant; null: all sheets. */
  readonly names: ReadonlySet<string> | null;
}

/** A file is watched through its folder: editors often put a new file in its place. */
export function findPlaces(context: Context, named: readonly string[]): Places {
  // The command has already reported the problems of the configuration.
  const folders = openProject({ ...context, tell: () => {} });
  const found = new Map<string, Scope>();
  const add = (folder: string, deep: boolean, name: string | null): void => {
    const known = found.get(folder);
    const names = name === null || known?.names === null ? null : new Set([...(known?.names ?? []), name]);
    found.set(folder, { deep: deep || known?.deep === true, names });
  };
  for (const one of named) {
    const path = resolve(context.cwd, one);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) add(path, true, null);
    else if (/[*?[\]{}!]/.test(one) && !existsSync(path)) add(context.cwd, true, null);
    else add(dirname(path), false, basename(path));
  }
  if (named.length === 0) {
    if (folders.file === null) add(context.cwd, false, null);
    else add(folders.workflows, true, null);
  }
  const whole = [folders.prompts, folders.agents];
  // The project's folder is watched to notice when one of the others is created.
  for (const folder of [folders.root, ...whole])
    if (!found.has(folder)) add(folder, whole.includes(folder), "");
  if (folders.file !== null) add(dirname(folders.file), false, basename(folders.file));
  return { folders: found, whole };
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) yield folder;
}

const isPassedOver = (name: string): boolean => name === "node_modules" || /^\.[^.]/.test(name);

/** True for a watched file, and for a path in a watched folder. */
export function isOfInterest(path: string, { folders }: Places): boolean {
  if (folders.has(path)) return true;
  if (isPassedOver(basename(path))) return false;
  if (folders.has(dirname(path))) return true;
  for (const folder of foldersAbove(path)) {
    if (folders.get(folder)?.deep === true) return true;
    if (isPassedOver(basename(folder))) return false;
  }
  return false;
}

export function isSource(path: string, { folders, whole }: Places): boolean {
  if (whole.some((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
    return !/\.(test|spec)\.[mc]?[jt]s$|\.(tmp|swp)$|~$/.test(path);
  const own = folders.get(dirname(path));
  if (own?.names?.has(basename(path)) === true) return true;
  if (!isSheetPath(path) || /\.test\.csv$/i.test(path)) return false;
  if (own?.names === null) return true;
  return [...foldersAbove(path)].some((folder) => {
    const scope = folders.get(folder);
    return scope?.deep === true && scope.names === null;
  });
}

export function shownPlaces({ cwd }: Context, { folders, whole }: Places): string {
  const shown = [...folders].flatMap(([folder, { names }]) => {
    if (whole.includes(folder)) return [];
    if (names === null) return [nameFrom(cwd, folder) || "."];
    return [...names].filter(isSheetPath).map((name) => nameFrom(cwd, resolve(folder, name)));
  });
  return shown.join(", ");
}
