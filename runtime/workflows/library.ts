import { existsSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import type { World } from "../../compiler/world.js";
import type { Folders } from "../config/folders.js";
import { oncePerKey } from "../lazy.js";
import { nameFrom, type SheetPath, sheetsInFolder } from "./find-sheets.js";
import type { Opened } from "./open-file.js";
import { graphNamesIn, understandContent } from "./read-sheet.js";
import { openSheet } from "./workbooks.js";

export interface FoundGraph {
  readonly sheet: SheetPath;
  readonly understanding: Understanding;
  readonly name: string;
}

/** Graphs of other sheets. Files are read on demand, and once. */
export interface Library {
  /** Unambiguous names, also as `sheet::Graph`. */
  readonly namesAround: (sheet: SheetPath) => ReadonlySet<string>;
  /** Null for unknown and ambiguous names, and while its sheet is being analyzed. */
  readonly find: (sheet: SheetPath, name: string) => FoundGraph | null;
  /** Paths of the sheets whose graphs it may call, and its own. */
  readonly pathsAround: (sheet: SheetPath) => ReadonlySet<string>;
  /** Reads only names, without analysis. Empty when the file cannot be read. */
  readonly graphsIn: (path: string) => ReadonlySet<string>;
  readonly used: () => readonly string[];
}

export interface LibraryOptions {
  readonly folders: Folders;
  readonly encoding: string | null;
  readonly sheets: readonly SheetPath[];
  readonly worldOf: (sheet: SheetPath) => World;
  readonly files?: SheetFiles;
}

/** How sheets are read, where they are not only on the disk. */
export interface SheetFiles {
  readonly open: (path: string) => Opened;
  readonly graphsIn: (path: string) => ReadonlySet<string>;
}

const onDisk = (encoding: string | null): SheetFiles => ({
  open: openSheet,
  graphsIn: (path) => graphNamesIn({ path, shown: path, encoding }, false),
});

interface Entry {
  readonly path: string;
  readonly name: string;
}

export function createLibrary(options: LibraryOptions): Library {
  const { folders, encoding, sheets, worldOf, files = onDisk(encoding) } = options;
  /** Null during analysis, which ends recursion between sheets. */
  const understood = new Map<string, Understanding | null>();
  const namesIn = oncePerKey(files.graphsIn);
  const entriesAround = oncePerKey((own: string | null) => entriesByName(own, options, namesIn));
  const understand = (path: string): Understanding | null => {
    const known = understood.get(path);
    if (known !== undefined) return known;
    understood.set(path, null);
    const sheet = { path, shown: nameFrom(folders.root, path), named: true };
    const opened = files.open(path);
    const about = { ...sheet, encoding, world: worldOf(sheet) };
    const made = opened.kind === "bytes" ? understandContent(opened, about) : null;
    understood.set(path, made);
    return made;
  };
  return {
    namesAround: ({ path }) =>
      new Set([...entriesAround(path)].flatMap(([name, entries]) => (entries.length === 1 ? [name] : []))),
    find: (sheet, name) => {
      const [entry, ...others] = entriesAround(sheet.path).get(name) ?? [];
      if (entry === undefined || others.length > 0) return null;
      const understanding = understand(entry.path);
      if (understanding === null) return null;
      const found = { path: entry.path, shown: understanding.file, named: true };
      return { sheet: found, understanding, name: entry.name };
    },
    pathsAround: ({ path }) => pathsAround(path, folders, sheets),
    graphsIn: namesIn,
    used: () => [...understood.keys()],
  };
}

/** Its own graphs are found as `sheet::Graph` only. */
function entriesByName(
  own: string | null,
  { folders, sheets }: LibraryOptions,
  namesIn: (path: string) => ReadonlySet<string>,
): ReadonlyMap<string, readonly Entry[]> {
  const entries = new Map<string, Entry[]>();
  const add = (key: string, entry: Entry): void => {
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  };
  for (const path of pathsAround(own, folders, sheets))
    for (const name of namesIn(path)) {
      if (path !== own) add(name, { path, name });
      add(`${sheetNameOf(path, folders.workflows)}::${name}`, { path, name });
    }
  return entries;
}

/** The sheet itself, those in its folder, in the workflows folder, and of the command line. */
function pathsAround(
  own: string | null,
  folders: Folders,
  sheets: readonly SheetPath[],
): ReadonlySet<string> {
  const around = [own === null ? folders.root : dirname(own), folders.workflows].filter(existsSync);
  const found = around.flatMap(
    (folder) => sheetsInFolder(folder, folder, folder === folders.workflows && !folders.isFlat).sheets,
  );
  return new Set([own, ...[...sheets, ...found].map(({ path }) => path)].filter((path) => path !== null));
}

/** The path from the workflows folder, else the file's name, without `.csv`; a workbook keeps its ending. */
export function sheetNameOf(path: string, workflows: string): string {
  const way = relative(workflows, path).replaceAll("\\", "/");
  return (way.startsWith("..") ? basename(path) : way).replace(/\.csv$/i, "");
}
