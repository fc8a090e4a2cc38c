import { existsSync, statSync } from "node:fs";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { EXIT, UsageError } from "../failure.js";
import type { Call, Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { runCall } from "../run-call.js";
import { findPlaces, isOfInterest, isSource, shownPlaces } from "./watched-places.js";

type Compile = (context: Context, operands: readonly string[], given: Given) => Promise<number>;

/** Editors save in several steps, so compiling waits for this time without changes. */
const QUIET_MS = 25;

/** Chokidar drops a second change of a file within 50 ms, so its stamp is compared again later. */
const RECHECK_MS = 75;

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}`;
}

/** Compiles, and again whenever a sheet, a prompt or an agent changes, until Ctrl-C. */
export async function watchSheets(
  context: Context,
  operands: readonly string[],
  given: Given,
  compile: Compile,
): Promise<number> {
  const named = [...operands, ...given.list("csv")];
  if (given.flag("check")) throw new UsageError("--watch writes, --check does not: choose one");
  if (named.includes("-"))
    throw new UsageError("standard input cannot be watched", "name a file or a folder");
  const { FSWatcher } = await import("chokidar");
  const places = findPlaces(context, named);
  const watcher = new FSWatcher({ ignoreInitial: true, ignored: (path) => !isOfInterest(path, places) });
  const teller = { ...context, note: onceEach(context.note) };
  const queue = createQueue(async (changed) => {
    const stamps = changed.map(stampOf);
    const names = changed.map((path) => nameFrom(context.cwd, path));
    await compileOnce(teller, (silent) => compile(silent, operands, given), names);
    setTimeout(() => {
      for (const [i, path] of changed.entries()) if (stampOf(path) !== stamps[i]) queue.add(path);
    }, RECHECK_MS).unref();
  });
  watcher.on("all", (event, path) => {
    const isNewPlace = event === "addDir" && places.folders.has(path);
    // Files that are already in a new folder cause no event, so it is compiled anyway.
    if (isNewPlace) watcher.add(path);
    if (isNewPlace || isSource(path, places)) queue.add(path);
  });
  watcher.on("error", (error) => context.fail(`cannot watch: ${messageOf(error)}`));
  const ready = new Promise<void>((resolve) => watcher.once("ready", resolve));
  watcher.add([...places.folders.keys()].filter((folder) => existsSync(folder)));
  // Watching begins before the first compile, so that no change is missed.
  await ready;
  queue.add(null);
  await queue.idle();
  context.tell("watching", `${shownPlaces(context, places)}; Ctrl-C ends it`);
  await new Promise<void>((resolve) => context.events.onInterrupt(resolve));
  await watcher.close();
  return EXIT.interrupted;
}

/** Without this, every compile would repeat the same notes. */
function onceEach(note: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) note(text);
    told.add(text);
  };
}

/** Changes that come together are handled together, and one batch after the other. */
function createQueue(work: (changed: readonly string[]) => Promise<void>) {
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
    /** The changed path; null compiles everything at once. */
    add: (changed: string | null): void => {
      if (changed !== null) waiting.add(changed);
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(start, changed === null ? 0 : QUIET_MS);
    },
    idle: async (): Promise<void> => {
      while (timer !== null) await new Promise((resolve) => setTimeout(resolve, 1));
      await working;
    },
  };
}

/** An error must not end the watch. */
async function compileOnce(context: Context, run: Call["run"], changed: readonly string[]): Promise<void> {
  const began = performance.now();
  const lines: string[] = [];
  const stdout = { ...context.stdout, write: (text: string) => void lines.push(text) };
  const done = (await runCall({ globals: {}, run }, { ...context, stdout })) === EXIT.done;
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
