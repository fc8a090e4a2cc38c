import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { FlowsheetError } from "../../runtime/graph/errors.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import type { Context } from "../context.js";
import { EXIT, helpOf, UsageError } from "../failure.js";
import { openProject } from "../project.js";
import type { Given } from "../verbs.js";

/** What is to be watched, and how it is compiled. */
export interface Watch {
  readonly operands: readonly string[];
  readonly given: Given;
  /** Compiles once; answers the exit code. */
  readonly compile: (context: Context, operands: readonly string[], given: Given) => Promise<number>;
}

/** So many milliseconds without a further change, then it is compiled: editors write in several steps. */
const QUIET_MS = 25;

/** Chokidar tells nothing of a change that follows another one of the same file within 50 ms: so it is looked at again. */
const RECHECK_MS = 75;

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}`;
}

/** Compiles, and again whenever a sheet, a prompt or an agent changes, until Ctrl-C. */
export async function watchSheets(context: Context, watch: Watch): Promise<number> {
  checkRequest(watch);
  const { FSWatcher } = await import("chokidar");
  const places = placesOf(context, watch);
  const watcher = new FSWatcher({ ignoreInitial: true, ignored: (path) => !isOfInterest(path, places) });
  const teller = { ...context, note: onceEach(context.note) };
  const queue = createQueue(async (changed) => {
    const stamps = changed.map(stampOf);
    const names = changed.map((path) => nameFrom(context.cwd, path));
    await compileOnce(teller, watch, names);
    setTimeout(() => {
      for (const [i, path] of changed.entries()) if (stampOf(path) !== stamps[i]) queue.add(path);
    }, RECHECK_MS).unref();
  });
  watcher.on("all", (event, path) => {
    const isNewPlace = event === "addDir" && places.folders.has(path);
    // What lies in it already is not told: it came while nobody looked.
    if (isNewPlace) watcher.add(path);
    if (isNewPlace || isSource(path, places)) queue.add(path);
  });
  watcher.on("error", (error) => context.fail(`cannot watch: ${messageOf(error)}`));
  const ready = new Promise<void>((resolve) => watcher.once("ready", resolve));
  watcher.add([...places.folders.keys()].filter((folder) => existsSync(folder)));
  // Watching begins before the first time, so that no change falls in between.
  await ready;
  queue.add(null);
  await queue.idle();
  context.tell("watching", `${shownPlaces(context, places)}; Ctrl-C ends it`);
  await new Promise<void>((resolve) => context.happenings.onInterrupt(resolve));
  await watcher.close();
  return EXIT.interrupted;
}

function checkRequest({ operands, given }: Watch): void {
  if (given.flag("check")) throw new UsageError("--watch writes, --check does not: choose one");
  if ([...operands, ...given.list("csv")].includes("-"))
    throw new UsageError("standard input cannot be watched", "name a file or a folder");
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The folders that are watched, each with the ones in it or not, and the files that are meant in them. */
interface Places {
  readonly folders: ReadonlyMap<string, Scope>;
  /** Whatever lies in these folders may change what the modules are. */
  readonly whole: readonly string[];
}
interface Scope {
  readonly deep: boolean;
  /** Names of the files that are meant; null: all sheets. */
  readonly names: ReadonlySet<string> | null;
}

/** A file is watched through its folder: editors often put a new file in its place. */
function placesOf(context: Context, { operands, given }: Watch): Places {
  const folders = openProject(context);
  const found = new Map<string, Scope>();
  const add = (folder: string, deep: boolean, name: string | null): void => {
    const known = found.get(folder);
    const names = name === null || known?.names === null ? null : new Set([...(known?.names ?? []), name]);
    found.set(folder, { deep: deep || known?.deep === true, names });
  };
  const named = [...operands, ...given.list("csv")];
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
  // The project's folder tells when one of the others is made.
  for (const folder of [folders.root, ...whole])
    if (!found.has(folder)) add(folder, whole.includes(folder), "");
  if (folders.file !== null) add(dirname(folders.file), false, basename(folders.file));
  return { folders: found, whole };
}

const isPassedOver = (name: string): boolean => name === "node_modules" || /^\.[^.]/.test(name);

/** Whether a path is one of the places, or lies in a folder that is watched as deep as it lies. */
function isOfInterest(path: string, { folders }: Places): boolean {
  if (folders.has(path)) return true;
  if (isPassedOver(basename(path))) return false;
  if (folders.has(dirname(path))) return true;
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if (folders.get(folder)?.deep === true) return true;
    if (isPassedOver(basename(folder))) return false;
  }
  return false;
}

/** Whether a change of this file may change a module. */
function isSource(path: string, { folders, whole }: Places): boolean {
  if (whole.some((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
    return !/\.(test|spec)\.[mc]?[jt]s$|\.(tmp|swp)$|~$/.test(path);
  const own = folders.get(dirname(path));
  if (own?.names?.has(basename(path)) === true) return true;
  if (!/\.csv$/i.test(path) || /\.test\.csv$/i.test(path)) return false;
  if (own?.names === null) return true;
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const scope = folders.get(folder);
    if (scope?.deep === true && scope.names === null) return true;
  }
  return false;
}

function shownPlaces({ cwd }: Context, { folders, whole }: Places): string {
  const shown = [...folders].flatMap(([folder, { names }]) => {
    if (whole.includes(folder)) return [];
    if (names === null) return [nameFrom(cwd, folder) || "."];
    return [...names]
      .filter((name) => name.endsWith(".csv"))
      .map((name) => nameFrom(cwd, resolve(folder, name)));
  });
  return shown.join(", ");
}

/** Notes, such as what is passed over, would come again and again. */
function onceEach(note: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) note(text);
    told.add(text);
  };
}

interface Queue {
  /** A change to deal with; null: everything, now. */
  readonly add: (changed: string | null) => void;
  readonly idle: () => Promise<void>;
}

/** Gathers changes that come together, and deals with one lot after the other. */
function createQueue(work: (changed: readonly string[]) => Promise<void>): Queue {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();
  const start = (): void => {
    timer = null;
    working = working.then(async () => {
      const changed = [...waiting];
      waiting.clear();
      await work(changed);
    });
  };
  return {
    add: (changed) => {
      if (changed !== null) waiting.add(changed);
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(start, changed === null ? 0 : QUIET_MS);
    },
    idle: async () => {
      while (timer !== null) await new Promise((resolve) => setTimeout(resolve, 1));
      await working;
    },
  };
}

/** Compiles, tells in one line what became of it, and never ends the watch. */
async function compileOnce(context: Context, watch: Watch, changed: readonly string[]): Promise<void> {
  const began = performance.now();
  const lines: string[] = [];
  const stdout = { ...context.stdout, write: (text: string) => void lines.push(text) };
  const done = await compileSafely({ ...context, stdout }, watch);
  const written = lines
    .join("")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("unchanged"));
  const ms = `${Math.round(performance.now() - began)} ms`;
  if (context.quiet) return;
  for (const line of written) context.stdout.write(`${line} (${ms})\n`);
  if (written.length > 0 || changed.length === 0) return;
  const what = changed.join(", ");
  context.stdout.write(done ? `unchanged by ${what} (${ms})\n` : `waiting   for ${what} to be mended\n`);
}

async function compileSafely(context: Context, { operands, given, compile }: Watch): Promise<boolean> {
  try {
    return (await compile(context, operands, given)) === EXIT.done;
  } catch (error) {
    if (error instanceof UsageError) context.fail(error.message, error.help);
    else if (error instanceof FlowsheetError) context.fail(error.message, helpOf(error));
    else throw error;
    return false;
  }
}
