import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseSheet } from "../../compiler/1-parse/sheet.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { World } from "../../compiler/world.js";
import type { Folders } from "../config/folders.js";
import { nameFrom, type SheetPath, sheetsInFolder } from "./find-sheets.js";
import { openSheet } from "./open-sheet.js";
import { isOtherTable } from "./other-table.js";

/** A graph of a sheet that was understood. */
export interface FoundGraph {
  readonly sheet: SheetPath;
  readonly understanding: Understanding;
  readonly name: string;
}

/** The graphs that sheets may run of other sheets. Files are looked at only when one is asked for, and once. */
export interface Library {
  /** The names that mean one graph of the sheets around one, also as `sheet::Graph`. */
  readonly namesAround: (sheet: SheetPath) => ReadonlySet<string>;
  /** A graph by such a name; null when there is none, several sheets have one, or its sheet is being understood. */
  readonly find: (sheet: SheetPath, name: string) => FoundGraph | null;
  /** The sheets around one, by their paths: those whose graphs it may run, and itself. */
  readonly pathsAround: (sheet: SheetPath) => ReadonlySet<string>;
  /** The names of the graphs of a sheet, which is not understood for that; none when it cannot be read. */
  readonly graphsIn: (path: string) => ReadonlySet<string>;
  /** The files that were read for their graphs. */
  readonly used: () => readonly string[];
}

export interface LibraryOptions {
  readonly folders: Folders;
  readonly encoding: string | null;
  /** All sheets of the command: their graphs know each other. */
  readonly sheets: readonly SheetPath[];
  readonly worldOf: (sheet: SheetPath) => World;
}

interface Entry {
  readonly path: string;
  readonly name: string;
}

export function createLibrary({ folders, encoding, sheets, worldOf }: LibraryOptions): Library {
  const names = new Map<string, ReadonlySet<string>>();
  const catalogs = new Map<string, ReadonlyMap<string, readonly Entry[]>>();
  /** Null while a sheet is being understood. */
  const understood = new Map<string, Understanding | null>();
  const namesIn = (path: string): ReadonlySet<string> => {
    const known = names.get(path) ?? graphNames(path, encoding);
    names.set(path, known);
    return known;
  };
  const catalogFor = (sheet: SheetPath): ReadonlyMap<string, readonly Entry[]> => {
    const key = sheet.path ?? "";
    const known = catalogs.get(key) ?? createCatalog(sheet, { folders, sheets, namesIn });
    catalogs.set(key, known);
    return known;
  };
  const understand = (path: string): Understanding | null => {
    const known = understood.get(path);
    if (known !== undefined) return known;
    understood.set(path, null);
    const made = read({ path, shown: nameFrom(folders.root, path), named: true }, encoding, worldOf);
    understood.set(path, made);
    return made;
  };
  return {
    namesAround: (sheet) =>
      new Set([...catalogFor(sheet)].flatMap(([name, entries]) => (entries.length === 1 ? [name] : []))),
    find: (sheet, name) => {
      const [entry, ...others] = catalogFor(sheet).get(name) ?? [];
      if (entry === undefined || others.length > 0) return null;
      const understanding = understand(entry.path);
      if (understanding === null) return null;
      const found = { path: entry.path, shown: understanding.file, named: true };
      return { sheet: found, understanding, name: entry.name };
    },
    pathsAround: (sheet) => pathsAround(sheet, folders, sheets),
    graphsIn: namesIn,
    used: () => [...understood.keys()],
  };
}

interface Around {
  readonly folders: Folders;
  readonly sheets: readonly SheetPath[];
  readonly namesIn: (path: string) => ReadonlySet<string>;
}

/** The graphs around a sheet by name. Its own go by their names with the sheet only: without, they are found first. */
function createCatalog(
  sheet: SheetPath,
  { folders, sheets, namesIn }: Around,
): ReadonlyMap<string, readonly Entry[]> {
  const catalog = new Map<string, Entry[]>();
  const add = (name: string, entry: Entry): void => {
    catalog.set(name, [...(catalog.get(name) ?? []), entry]);
  };
  for (const path of pathsAround(sheet, folders, sheets)) {
    const shown = sheetNameOf(path, folders.workflows);
    for (const name of namesIn(path)) {
      if (path !== sheet.path) add(name, { path, name });
      add(`${shown}::${name}`, { path, name });
    }
  }
  return catalog;
}

/** The sheets whose graphs a sheet may run: itself, those beside it, of the workflows folder, and of the command. */
function pathsAround(sheet: SheetPath, folders: Folders, sheets: readonly SheetPath[]): ReadonlySet<string> {
  const around = [dirname(sheet.path ?? join(folders.root, "-")), folders.workflows].filter(existsSync);
  const found = around.flatMap(
    (folder) => sheetsInFolder(folder, folder, folder === folders.workflows).sheets,
  );
  return new Set([sheet, ...sheets, ...found].flatMap(({ path }) => (path === null ? [] : [path])));
}

/** A sheet's name before `::`: its way from the workflows folder, else its file's name, without `.csv`. */
export function sheetNameOf(path: string, workflows: string): string {
  const way = relative(workflows, path).replaceAll("\\", "/");
  return (way.startsWith("..") ? basename(path) : way).replace(/\.csv$/i, "");
}

function graphNames(path: string, encoding: string | null): ReadonlySet<string> {
  const opened = openSheet(path);
  // Other tables may be large, and lie beside sheets.
  if (opened.kind !== "bytes" || isOtherTable(opened.bytes, encoding)) return new Set();
  const source = { file: path, bytes: opened.bytes, ...(encoding === null ? {} : { encoding }) };
  const sheet = parseSheet(source, new Problems(path));
  return new Set(sheet?.rows.map(({ graph }) => graph.name).filter((name) => name !== ""));
}

function read(
  sheet: SheetPath & { readonly path: string },
  encoding: string | null,
  worldOf: (sheet: SheetPath) => World,
): Understanding | null {
  const opened = openSheet(sheet.path);
  if (opened.kind !== "bytes") return null;
  const source = { file: sheet.shown, bytes: opened.bytes, ...(encoding === null ? {} : { encoding }) };
  return understandSheet(source, worldOf(sheet));
}
