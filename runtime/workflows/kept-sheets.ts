import { type Stats, statSync } from "node:fs";
import { parseSheet } from "../../compiler/1-parse/sheet.js";
import type { Understanding } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { Sheet } from "../../compiler/ir.js";
import type { Folders } from "../config/folders.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createPromptResolver, type PromptResolver, type ResolvedPrompt } from "../prompts/resolve.js";
import type { Library } from "./library.js";
import { type OpenedGraph, openGraph } from "./open-graph.js";
import { openSheet } from "./open-sheet.js";
import { readSheetFile, understandContent } from "./read-sheet.js";
import { createSurroundings } from "./world.js";

/** A sheet's file, and how it is to be read. */
export interface SheetSource {
  /** Absolute. */
  readonly path: string;
  /** As messages name it. */
  readonly shown: string;
  readonly encoding: string | null;
}

export interface KeptSheetsOptions {
  readonly folders: Folders;
  readonly env: Environment;
  /** Agents that code has registered, by name. */
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

/** A version of a file. */
interface Stamp {
  readonly size: number;
  readonly modified: number;
  readonly changed: number;
  readonly inode: number;
}

interface KeptSheet {
  readonly source: SheetSource;
  readonly stamp: Stamp;
  /** A file that changed just before it was read may have changed again without a sign. */
  readonly settled: boolean;
  readonly understanding: Understanding;
  readonly library: Library;
  /** Other sheets whose graphs it runs. */
  readonly others: ReadonlyMap<string, Stamp>;
  /** What the sheet has from other files. */
  readonly prompts: readonly PromptUse[];
  readonly opening: Map<string | null, Promise<OpenedGraph>>;
  readonly opened: Map<string | null, OpenedGraph>;
}

interface PromptUse {
  readonly kind: "file" | "prompt";
  readonly name: string;
  readonly found: ResolvedPrompt;
}

/** So many sheets are kept: the ones that were read last. */
const MOST = 1_000;
/** Of so many the graphs stay ready to run, which takes as much room again. The others are made ready when they run. */
const MOST_LINKED = 250;
const QUIET = { throwIfNoEntry: false } as const;

/** Keeps sheets. Looking one up costs a look at its file, and at the prompts that it takes from others. */
export function createKeptSheets(options: KeptSheetsOptions): KeptSheets {
  const kept = new Map<string, KeptSheet>();
  const linked = new Set<KeptSheet>();
  const current = ({ path, shown, encoding }: SheetSource): KeptSheet | undefined => {
    const sheet = kept.get(path);
    if (sheet === undefined || sheet.source.shown !== shown || sheet.source.encoding !== encoding)
      return undefined;
    return isCurrent(sheet, options.folders) ? sheet : undefined;
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
    known: (source, graph) => current(source)?.opened.get(graph),
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
  sheet.opening.clear();
  sheet.opened.clear();
}

/** Opens a graph once, however many runs want it at the same time. */
async function openIn(
  { source, understanding, library, opening, opened }: KeptSheet,
  graph: string | null,
  { folders: { root, agents }, registered }: KeptSheetsOptions,
): Promise<OpenedGraph> {
  const sheet = { path: source.path, shown: source.shown, named: true };
  const promise =
    opening.get(graph) ?? openGraph(understanding, graph, { root, agents, registered, sheet, library });
  opening.set(graph, promise);
  try {
    const made = await promise;
    opened.set(graph, made);
    return made;
  } catch (error) {
    // What was missing may be there the next time.
    opening.delete(graph);
    throw error;
  }
}

function isCurrent(
  { source, stamp, settled, understanding, others, prompts }: KeptSheet,
  folders: Folders,
): boolean {
  if (!settled || understanding.diagnostics.some(({ severity }) => severity === "error")) return false;
  const stats = statSync(source.path, QUIET);
  if (stats === undefined || !isSame(stamp, stats)) return false;
  for (const [path, other] of others) {
    const now = statSync(path, QUIET);
    if (now === undefined || !isSame(other, now)) return false;
  }
  if (prompts.length === 0) return true;
  const resolve = createPromptResolver(folders);
  return prompts.every(({ kind, name, found }) => isSamePrompt(resolve(kind, name), found));
}

const isSame = ({ size, modified, changed, inode }: Stamp, stats: Stats): boolean =>
  stats.size === size && stats.mtimeMs === modified && stats.ctimeMs === changed && stats.ino === inode;

const isSamePrompt = (now: ResolvedPrompt, then: ResolvedPrompt): boolean =>
  "text" in now && "text" in then ? now.text === then.text : "missing" in now && "missing" in then;

function read(source: SheetSource, { folders, env, registered }: KeptSheetsOptions): KeptSheet {
  const { path, shown, encoding } = source;
  const sheet = { path, shown, named: true };
  // The version is looked at first: a change in between is then seen the next time.
  const stats = statSync(path, QUIET);
  const settled = stats !== undefined && isSettled(stats);
  const content = readSheetFile(sheet);
  const { prompt, uses } = notePrompts(createPromptResolver(folders));
  const about = { folders, env, encoding, sheets: [sheet], registered: Object.keys(registered), prompt };
  const { worldOf, library } = createSurroundings({ ...about, unknownAgent: "error" });
  const stamp = stampOf(stats);
  const understood = understandContent(content, { shown, encoding, world: worldOf(sheet) });
  const understanding = withoutSheet(understood, () => readAgain(source, stamp));
  const others = library.used().map((other) => ({ other, stats: statSync(other, QUIET) }));
  return {
    source,
    stamp,
    settled: settled && others.every((one) => one.stats !== undefined && isSettled(one.stats)),
    understanding,
    library,
    others: new Map(others.map((one) => [one.other, stampOf(one.stats)])),
    prompts: [...uses.values()],
    opening: new Map(),
    opened: new Map(),
  };
}

/** The sheet of a file as it was; null when it has changed. */
function readAgain({ path, shown, encoding }: SheetSource, stamp: Stamp): Sheet | null {
  const stats = statSync(path, QUIET);
  if (stats === undefined || !isSame(stamp, stats)) return null;
  const opened = openSheet(path);
  if (opened.kind !== "bytes") return null;
  const source = { file: shown, bytes: opened.bytes, ...(encoding === null ? {} : { encoding }) };
  return parseSheet(source, new Problems(shown));
}

/**
 * The same without the rows and the text of the sheet, which take more room than all else: a sheet without problems
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

const stampOf = (stats: Stats | undefined): Stamp => ({
  size: stats?.size ?? 0,
  modified: stats?.mtimeMs ?? 0,
  changed: stats?.ctimeMs ?? 0,
  inode: stats?.ino ?? 0,
});

/** False when the file might change within one tick of its clock: some file systems count in seconds. */
function isSettled({ mtimeMs, ctimeMs }: Stats): boolean {
  const last = Math.max(mtimeMs, ctimeMs);
  return Date.now() - last > (last % 1_000 === 0 ? 2_000 : 50);
}

function notePrompts(resolve: PromptResolver): {
  readonly prompt: PromptResolver;
  readonly uses: ReadonlyMap<string, PromptUse>;
} {
  const uses = new Map<string, PromptUse>();
  const prompt: PromptResolver = (kind, name) => {
    const found = resolve(kind, name);
    uses.set(`${kind}:${name}`, { kind, name, found });
    return found;
  };
  return { prompt, uses };
}
