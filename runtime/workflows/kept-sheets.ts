import { type Stats, statSync } from "node:fs";
import type { Understanding } from "../../compiler/compile.js";
import { versionOf } from "../../compiler/files/version.js";
import type { Sheet } from "../../compiler/ir.js";
import type { Folders } from "../config/folders.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createPromptResolver } from "../prompts/resolve.js";
import type { Library } from "./library.js";
import { type OpenedGraph, openGraph } from "./open-graph.js";
import { parseFile, readSheetFile, type SheetSource, understandContent } from "./read-sheet.js";
import { notingPrompts, type UsedPrompts } from "./version-texts.js";
import { filePathOf } from "./workbooks.js";
import { createSurroundings } from "./world.js";

export interface KeptSheetsOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
}

export type KeptSheets = ReturnType<typeof createKeptSheets>;

interface KeptSheet {
  readonly source: SheetSource;
  /** All source files with their versions before reading: the sheet, other sheets, and prompts. */
  readonly files: Versions;
  /** False when a file may change again within the resolution of its timestamp. */
  readonly settled: boolean;
  readonly understanding: Understanding;
  /** Null for a sheet that calls none of another one: a library keeps all that is known around it. */
  readonly library: Library | null;
  readonly prompts: UsedPrompts;
  readonly graphs: Map<string | null, Opening>;
}

/** Undefined for a file that is not there. */
type Versions = ReadonlyMap<string, string | undefined>;

interface Opening {
  readonly promise: Promise<OpenedGraph>;
  graph?: OpenedGraph;
}

/** The capacity of the cache: the most recently read sheets stay. */
const MOST = 1_000;
/** Linked graphs double the memory of a sheet, so fewer are kept. Others are linked again when they run. */
const MOST_LINKED = 250;

/** A cache of sheets, invalidated by changes of their files. A lookup costs a stat of the sheet and of its prompts. */
export function createKeptSheets(options: KeptSheetsOptions) {
  const kept = new Map<string, KeptSheet>();
  const linked = new Set<KeptSheet>();
  const current = ({ path, shown, encoding }: SheetSource): KeptSheet | undefined => {
    const sheet = kept.get(path);
    if (sheet === undefined || sheet.source.shown !== shown || sheet.source.encoding !== encoding)
      return undefined;
    return isCurrent(sheet) ? sheet : undefined;
  };
  const look = (source: SheetSource): KeptSheet => {
    const known = current(source);
    if (known !== undefined) return known;
    const sheet = read(source, options);
    kept.delete(source.path);
    kept.set(source.path, sheet);
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    for (const one of linked) if (kept.get(one.source.path) !== one) linked.delete(one);
    return sheet;
  };
  return {
    /** Undefined when the graph is not cached, or its files changed. */
    known: (source: SheetSource, graph: string | null): OpenedGraph | undefined =>
      current(source)?.graphs.get(graph)?.graph,
    open: async (source: SheetSource, graph: string | null): Promise<OpenedGraph> => {
      const sheet = look(source);
      const opened = await openIn(sheet, graph, options);
      linked.delete(sheet);
      linked.add(sheet);
      const [oldest] = linked;
      if (linked.size > MOST_LINKED && oldest !== undefined) {
        linked.delete(oldest);
        // Active runs keep their reference to the graphs.
        oldest.graphs.clear();
      }
      return opened;
    },
    /** The sheet's graphs may have errors. */
    understand: (source: SheetSource): Understanding => look(source).understanding,
  };
}

/** Concurrent runs share one promise. */
async function openIn(
  { source, understanding, library, prompts, graphs }: KeptSheet,
  name: string | null,
  { folders: { root, agents }, registered }: KeptSheetsOptions,
): Promise<OpenedGraph> {
  const known = graphs.get(name);
  if (known !== undefined) return known.promise;
  const sheet = { path: source.path, shown: source.shown, named: true };
  const sources = { root, agents, registered, sheet, prompts };
  const about = library === null ? sources : { ...sources, library };
  const opening: Opening = { promise: openGraph(understanding, name, about) };
  graphs.set(name, opening);
  try {
    opening.graph = await opening.promise;
    return opening.graph;
  } catch (error) {
    // A failed opening is tried again: the missing file may exist next time.
    graphs.delete(name);
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(filePathOf(path));
  } catch {
    return undefined;
  }
}

const versionAt = (stats: Stats | undefined): string | undefined => stats && versionOf(stats);

function isCurrent({ files, settled, understanding }: KeptSheet): boolean {
  return settled && !hasErrors(understanding) && areCurrent(files);
}

const hasErrors = ({ diagnostics }: Understanding): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

function areCurrent(files: Versions): boolean {
  for (const [path, version] of files) if (version !== versionAt(statOf(path))) return false;
  return true;
}

function read(source: SheetSource, { folders, env, registered }: KeptSheetsOptions): KeptSheet {
  const { path, shown, encoding } = source;
  const sheet = { path, shown, named: true };
  const { note, files, areSettled } = notingFiles();
  // The stat comes before the read, so a change in between is detected next time.
  note(path);
  const content = readSheetFile(sheet);
  const { prompt, used: prompts } = notingPrompts(createPromptResolver(folders, note));
  const about = { folders, env, encoding, sheets: [sheet], registered: Object.keys(registered), prompt };
  const { worldOf, library } = createSurroundings({ ...about, unknownAgent: "error" });
  const understood = understandContent(content, { shown, encoding, world: worldOf(sheet) });
  const others = library.used();
  for (const other of others) note(other);
  return {
    source,
    files,
    settled: areSettled(),
    understanding: withoutSheet(understood, source, files.get(path)),
    library: others.length === 0 ? null : library,
    prompts,
    graphs: new Map(),
  };
}

/** The first look at a file counts. */
function notingFiles() {
  const files = new Map<string, string | undefined>();
  let settled = true;
  const note = (path: string): void => {
    if (files.has(path)) return;
    const stats = statOf(path);
    files.set(path, versionAt(stats));
    settled &&= isSettled(stats);
  };
  return { note, files, areSettled: () => settled };
}

/** By WeakRef, since rows and text need most memory. A sound sheet is parsed again only for errors. */
function withoutSheet(
  understanding: Understanding,
  source: SheetSource,
  version: string | undefined,
): Understanding {
  const { file, sheet, diagnostics } = understanding;
  if (sheet === null || diagnostics.length > 0) return understanding;
  // Descriptions that are made on demand would keep the whole analysis, rows included.
  const graphs = understanding.graphs.map((graph) => ({ ...graph }));
  // A changed file cannot give the old sheet again.
  const again = (): Sheet | null => (versionAt(statOf(source.path)) === version ? parseFile(source) : null);
  let kept = new WeakRef(sheet);
  return {
    file,
    graphs,
    diagnostics,
    get sheet() {
      const known = kept.deref() ?? again();
      if (known !== null) kept = new WeakRef(known);
      return known;
    },
  };
}

/** False while the file may change within one tick of its timestamp; some ticks last two seconds. */
function isSettled(stats: Stats | undefined): boolean {
  if (stats === undefined) return true;
  const { mtimeMs, ctimeMs } = stats;
  const last = Math.max(mtimeMs, ctimeMs);
  return Date.now() - last > (last % 1_000 === 0 ? 2_000 : 50);
}
