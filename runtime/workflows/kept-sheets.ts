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
import { createSurroundings } from "./world.js";

export interface KeptSheetsOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
}

/** Sheets that are read once, and again when their files change. */
export interface KeptSheets {
  /** A graph of a sheet that is known and has not changed; undefined when it has to be opened. */
  readonly known: (source: SheetSource, graph: string | null) => OpenedGraph | undefined;
  readonly open: (source: SheetSource, graph: string | null) => Promise<OpenedGraph>;
  /** All that is known of a sheet as it is now; its graphs need not be sound. */
  readonly understand: (source: SheetSource) => Understanding;
}

interface KeptSheet {
  readonly source: SheetSource;
  /** All files that it comes from, as they were before they were read: its own, other sheets, and prompts. */
  readonly files: ReadonlyMap<string, Stats | undefined>;
  /** A file that changed just before it was read may have changed again without a sign. */
  readonly settled: boolean;
  readonly understanding: Understanding;
  readonly library: Library;
  readonly graphs: Map<string | null, Opening>;
}

/** A graph that is being opened, and the graph when that is done. */
interface Opening {
  readonly promise: Promise<OpenedGraph>;
  graph?: OpenedGraph;
}

/** So many sheets are kept: the ones that were read last. */
const MOST = 1_000;
/** How many sheets keep their linked graphs, which doubles their memory. Graphs of other sheets are linked when they run. */
const MOST_LINKED = 250;

/** Keeps sheets. Looking one up costs a look at its file, and at the prompts that it takes from others. */
export function createKeptSheets(options: KeptSheetsOptions): KeptSheets {
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
    known: (source, graph) => current(source)?.graphs.get(graph)?.graph,
    open: async (source, graph) => {
      const sheet = look(source);
      const opened = await openIn(sheet, graph, options);
      linked.delete(sheet);
      linked.add(sheet);
      const [oldest] = linked;
      if (linked.size > MOST_LINKED && oldest !== undefined) unlink(oldest, linked);
      return opened;
    },
    understand: (source) => look(source).understanding,
  };
}

/** Runs that have its graphs go on with them. */
function unlink(sheet: KeptSheet, linked: Set<KeptSheet>): void {
  linked.delete(sheet);
  sheet.graphs.clear();
}

/** Opens a graph once, however many runs want it at the same time. */
async function openIn(
  { source, understanding, library, graphs }: KeptSheet,
  name: string | null,
  { folders: { root, agents }, registered }: KeptSheetsOptions,
): Promise<OpenedGraph> {
  const known = graphs.get(name);
  if (known !== undefined) return known.promise;
  const sheet = { path: source.path, shown: source.shown, named: true };
  const opening: Opening = {
    promise: openGraph(understanding, name, { root, agents, registered, sheet, library }),
  };
  graphs.set(name, opening);
  try {
    opening.graph = await opening.promise;
    return opening.graph;
  } catch (error) {
    // What was missing may be there the next time.
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
  // The version is looked at first: a change in between is then seen the next time.
  const stats = statOf(path);
  const isOld = isSettled(stats);
  const content = readSheetFile(sheet);
  const looked = new Map<string, Stats | undefined>();
  const prompt = createPromptResolver(folders, (one) => looked.set(one, statOf(one)));
  const about = { folders, env, encoding, sheets: [sheet], registered: Object.keys(registered), prompt };
  const { worldOf, library } = createSurroundings({ ...about, unknownAgent: "error" });
  const understood = understandContent(content, { shown, encoding, world: worldOf(sheet) });
  const others = library.used().map((other) => [other, statOf(other)] as const);
  return {
    source,
    files: new Map([...looked, ...others, [path, stats]]),
    settled: isOld && others.every(([, other]) => isSettled(other)) && [...looked.values()].every(isSettled),
    // The sheet of a file as it was; of one that has changed there is none.
    understanding: withoutSheet(understood, () =>
      isSameVersion(stats, statOf(path)) ? parseFile(source) : null,
    ),
    library,
    graphs: new Map(),
  };
}

/**
 * An understanding without the rows and the text of the sheet, which take more room than all else: a sheet without problems
 * is looked at again only when a run of it fails. It is there as long as somebody has it.
 */
function withoutSheet(understanding: Understanding, again: () => Sheet | null): Understanding {
  const { file, sheet, graphs, diagnostics } = understanding;
  if (sheet === null || diagnostics.length > 0) return understanding;
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

/** False when a file might change within one tick of its clock: some file systems count in seconds. */
function isSettled(stats: Stats | undefined): boolean {
  if (stats === undefined) return true;
  const { mtimeMs, ctimeMs } = stats;
  const last = Math.max(mtimeMs, ctimeMs);
  return Date.now() - last > (last % 1_000 === 0 ? 2_000 : 50);
}
