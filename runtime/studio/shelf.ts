import { lstatSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { understandSheet } from "../../compiler/compile.js";
import { fileInside } from "../../compiler/files/inside.js";
import { versionOf } from "../../compiler/files/version.js";
import type { GraphIR } from "../../compiler/ir.js";
import { etagOf } from "../http/request/etag.js";
import type { Service } from "../http/service.js";
import { filesInFolder, isTestSheet } from "../workflows/find-sheets.js";
import { sheetNameOf } from "../workflows/library.js";
import { isOtherTable, sourceOf } from "../workflows/read-sheet.js";
import { tableFile } from "../workflows/tables/table-files.js";
import { filePathOf, openSheet } from "../workflows/workbooks.js";
import type { Surroundings } from "../workflows/world.js";
import { type Asked, noteAsked } from "./asked.js";
import { bytesOf, readOnlyReason } from "./read-only.js";
import { surroundingsOf } from "./surroundings.js";

/** A sheet as the Studio lists it. */
export interface ShelfSheet {
  /** Its path in the folder of the sheets, with `/`. */
  readonly name: string;
  readonly path: string;
  /** Before `::`, where other sheets call its graphs. */
  readonly group: string;
  readonly bytes: number;
  readonly etag: string;
  readonly graphs: readonly GraphIR[];
  readonly errors: number;
  readonly warnings: number;
  /** Why it cannot be written; null when it can. */
  readonly reason: string | null;
  /** What its analysis asked the world outside for. */
  readonly asked: Asked;
}

export interface SheetFile {
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

interface Kept {
  readonly stamp: string;
  /** The stamps of all that a sheet may depend on. */
  readonly around: string;
  readonly sheet: ShelfSheet | null;
}

export type Shelf = ReturnType<typeof createShelf>;

/** The sheets of a project. A sheet is understood again when it changed, or when what is around it may have mended it. */
export function createShelf(service: Service) {
  const kept = new Map<string, Kept>();
  const tagged = new Map<string, { readonly stamp: string; readonly etag: string }>();
  /** Who wrote here last, and what the sheet was then. */
  const writers = new Map<string, { readonly etag: string; readonly who: string }>();
  /** The files that formulas look things up in, whether they are there or not. */
  const tableFiles = (): readonly string[] => {
    const names = [...kept.values()].flatMap(({ sheet }) => [...(sheet?.asked.tables ?? [])]);
    return [...new Set(names)].flatMap((name) => tableFile(service.project.data, name) ?? []).sort();
  };
  const files = (): readonly SheetFile[] => sheetFiles(service, (path) => !isTestSheet(path));
  return {
    tableFiles,
    /** Waits between sheets, so that a large project does not hold up others. */
    list: async (): Promise<readonly ShelfSheet[]> => {
      const found = files();
      const around = stampAround(service, found, tableFiles());
      const { worldOf } = surroundingsOf(service);
      for (const path of kept.keys()) if (!found.some((file) => file.path === path)) kept.delete(path);
      const sheets: ShelfSheet[] = [];
      for (const file of found) {
        const stamp = versionOf(file.stats);
        const current = (): Kept | null => {
          const known = kept.get(file.path);
          const isSound = known?.sheet == null || isWhole(known.sheet);
          return known?.stamp === stamp && (known.around === around || isSound) ? known : null;
        };
        if (current() === null) await new Promise(setImmediate);
        // Who lists at the same time may have understood it meanwhile.
        const { sheet } = current() ?? { sheet: read(file, service, worldOf) };
        kept.set(file.path, { stamp, around, sheet });
        if (sheet !== null) sheets.push(sheet);
      }
      return sheets;
    },
    /** The tags of all sheets. Bytes are read again when a file has changed. */
    tags: (): ReadonlyMap<string, string> =>
      new Map(
        files().flatMap(({ name, path, stats }): readonly (readonly [string, string])[] => {
          const stamp = versionOf(stats);
          const known = tagged.get(path);
          if (known?.stamp === stamp) return [[name, known.etag]];
          const bytes = bytesOf(path);
          if (bytes === null) return [];
          const etag = etagOf(bytes);
          tagged.set(path, { stamp, etag });
          return [[name, etag]];
        }),
      ),
    wrote: (name: string, etag: string, who: string): void => void writers.set(name, { etag, who }),
    /** Null for what others have written, and another program. */
    writerOf: (name: string, etag: string): string | null => {
      const last = writers.get(name);
      return last?.etag === etag ? last.who : null;
    },
    /** By its exact name among those that are there: a name never becomes a path. */
    find: (name: string): Pick<SheetFile, "name" | "path"> | null =>
      files().find((file) => file.name === name) ?? null,
    /** The test sheet beside a sheet; null where there is none. */
    testOf: (name: string): SheetFile | null =>
      sheetFiles(service, isTestSheet).find((file) => file.name === testNameOf(name)) ?? null,
    /** A sheet as a world shows it in which some graphs of other sheets are hidden. */
    readIn: (sheet: ShelfSheet, { worldOf }: Surroundings): ShelfSheet | null =>
      read(sheet, service, worldOf),
    tests: (): ReadonlySet<string> => new Set(sheetFiles(service, isTestSheet).map((file) => file.name)),
  };
}

export const testNameOf = (name: string): string => name.replace(/\.csv$/i, ".test.csv");

function sheetFiles({ project, log }: Service, wanted: (path: string) => boolean): readonly SheetFile[] {
  const { workflows: root, isFlat } = project;
  try {
    return filesInFolder(root, !isFlat).flatMap((path) => {
      const stats = wanted(path) ? fileInside(root, filePathOf(path)) : null;
      return stats === null ? [] : [{ name: relative(root, path).replaceAll(sep, "/"), path, stats }];
    });
  } catch {
    log.warn("the folder of the sheets cannot be read");
    return [];
  }
}

type WorldOf = Surroundings["worldOf"];

function read(
  { name, path }: Pick<SheetFile, "name" | "path">,
  service: Service,
  worldOf: WorldOf,
): ShelfSheet | null {
  const { project, encoding } = service;
  const opened = openSheet(path);
  if (opened.kind !== "bytes" || (project.isFlat && isOtherTable(opened, encoding))) return null;
  const bytes = Buffer.from(opened.bytes);
  const { world, asked } = noteAsked(worldOf({ path, shown: name, named: true }));
  const { graphs, diagnostics } = understandSheet(sourceOf({ shown: name, encoding }, opened), world);
  const count = (wanted: string): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  return {
    ...{ name, path, group: sheetNameOf(path, project.workflows), bytes: bytes.length, etag: etagOf(bytes) },
    ...{ graphs, errors: count("error"), warnings: count("warning"), asked },
    reason: readOnlyReason(
      path,
      bytes,
      diagnostics.some(({ code }) => code === "bad-quote"),
    ),
  };
}

/** What is around it cannot change what is said of it. */
const isWhole = ({ errors, warnings, asked }: ShelfSheet): boolean =>
  errors + warnings + asked.tables.size === 0;

/** Changes when a file changes that the meaning of sheets may depend on. */
function stampAround({ project }: Service, sheets: readonly SheetFile[], tables: readonly string[]): string {
  const own = [project.file, join(project.root, ".env"), project.prompts, project.agents, ...tables];
  const stats = own.flatMap((path) => (path === null ? [] : [lstatSync(path, { throwIfNoEntry: false })]));
  return [...stats, ...sheets.map((file) => file.stats)].map((one) => one && versionOf(one)).join("\n");
}
