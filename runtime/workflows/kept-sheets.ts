import { type Stats, statSync } from "node:fs";
import type { Understanding } from "../../compiler/compile.js";
import { isSameVersion } from "../../compiler/files/version.js";
import type { Sheet } from "../../compiler/ir.js";
import type { Folders } from "../config/folders.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createPromptResolver } from "../prompts/resolve.js";
import type { Library } from "./library.js";
import { type OpenedGraph, openGraph } from "./open-graph.js";
import { parseFile, readSheetFile, type SheetSource, understandContent } from "./read-sheet.js";
import { notingPrompts, type UsedPrompts } from "./version-texts.js";
import { createSurroundings } from "./world.js";

export interface KeptSheetsOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
}

export type KeptSheets = ReturnType<typeof createKeptSheets>;

interface KeptSheet {
  readonly source: SheetSource;
  /** All source files with their stats before reading: the sheet, other sheets, and prompts. */
  readonly files: ReadonlyMap<string, Stats | undefined>;
  /** False when a file may change again within the resolution of its timestamp. */
  readonly settled: boolean;
  readonly understanding: Understanding;
  readonly library: Library;
  readonly prompts: UsedPrompts;
  readonly graphs: Map<string | null, Opening>;
}

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
  const about = { root, agents, registered, sheet, library, prompts };
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
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isCurrent({ files, settled, understanding }: KeptSheet): boolean {
  if (!settled || understanding.diagnostics.some(({ severity }) => severity === "error")) return false;
  for (const [path, stats] of files) if (!isSameVersion(stats, statOf(path))) return false;
  return true;
}

function read(source: SheetSource, { folders, env, registered }: KeptSheetsOptions): KeptSheet {
  const { path, shown, encoding } = source;
  const sheet = { path, shown, named: true };
  // The stat comes before the read, so a change in between is detected next time.
  const stats = statOf(path);
  const isOld = isSettled(stats);
  const content = readSheetFile(sheet);
  const looked = new Map<string, Stats | undefined>();
  const resolver = createPromptResolver(folders, (one) => looked.set(one, statOf(one)));
  const { prompt, used: prompts } = notingPrompts(resolver);
  const about = { folders, env, encoding, sheets: [sheet], registered: Object.keys(registered), prompt };
  const { worldOf, library } = createSurroundings({ ...about, unknownAgent: "error" });
  const understood = understandContent(content, { shown, encoding, world: worldOf(sheet) });
  const others = library.used().map((other) => [other, statOf(other)] as const);
  return {
    source,
    files: new Map([...looked, ...others, [path, stats]]),
    settled: isOld && others.every(([, other]) => isSettled(other)) && [...looked.values()].every(isSettled),
    // A changed file cannot give the old sheet again.
    understanding: withoutSheet(understood, () =>
      isSameVersion(stats, statOf(path)) ? parseFile(source) : null,
    ),
    library,
    prompts,
    graphs: new Map(),
  };
}

/** By WeakRef, since rows and text need most memory. A sound sheet is parsed again only for errors. */
function withoutSheet(understanding: Understanding, again: () => Sheet | null): Understanding {
  const { file, sheet, diagnostics } = understanding;
  if (sheet === null || diagnostics.length > 0) return understanding;
  // Descriptions that are made on demand would keep the whole analysis, rows included.
  const graphs = understanding.graphs.map((graph) => ({ ...graph }));
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
