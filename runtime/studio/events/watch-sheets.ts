import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { FSWatcher } from "chokidar";
import { wayInside } from "../../../compiler/files/inside.js";
import { ENV_FILE } from "../../config/environment.js";
import { CONFIG_NAME } from "../../config/folders.js";
import { etagOf } from "../../http/request/etag.js";
import type { Service } from "../../http/service.js";
import { lastModule, noteModule } from "../modules/shown-module.js";
import { seenSheets, shelfOf } from "../sheet-access.js";
import { worldOf } from "../world.js";
import type { Hub } from "./hub.js";

/** Editors save in several steps. */
const QUIET_MS = 25;
/** Chokidar drops a second change of a file within 50 ms, so all is looked at once more. */
const AGAIN_MS = 100;

export interface SheetWatch {
  /** Looks at all sheets now. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Tells of sheets that came, went or have other bytes, and when what is around them has changed. */
export async function watchSheets(service: Service, hub: Hub): Promise<SheetWatch> {
  const shelf = shelfOf(service);
  let tags = shelf.tags();
  let world: string | null = null;
  const look = async (): Promise<void> => {
    const before = tags;
    tags = shelf.tags();
    for (const [name, etag] of tags) if (before.get(name) !== etag) tellSheet(name, etag);
    for (const name of before.keys()) if (!tags.has(name)) tellSheet(name, null);
    const now = etagOf(JSON.stringify(worldOf(service, await shelf.list())));
    if (world !== null && now !== world)
      hub.add({ type: "world", tell: ({ principal }) => (mayRead(principal) ? {} : null) });
    world = now;
  };
  const tellSheet = (name: string, etag: string | null): void => {
    const by = etag === null ? null : shelf.writerOf(name, etag);
    hub.add({
      type: "sheet",
      tell: async (reader) => {
        const isSeen =
          reader.graphs === null
            ? mayRead(reader.principal)
            : mayRead(reader.principal) && (await seenSheets(reader)).some((sheet) => sheet.name === name);
        return isSeen ? { name, etag, by } : null;
      },
    });
  };
  const queue = inTurn(look);
  const modules = inTurn(() => lookAtModule(service, hub));
  await queue.now();
  const { data, workflows, generated, isFlat } = service.project;
  // Runs write into the data folder: of what is there alone, the tables of formulas count.
  const isOther = (path: string): boolean => !isBelow(data, path) || isBelow(data, workflows);
  const matters = (path: string): boolean =>
    isOther(path) || (!isFlat && isBelow(workflows, path)) || shelf.tableFiles().includes(path);
  const watcher = await watchFolders(service, (path) => {
    if (isBelow(generated, path)) modules.soon();
    else if (matters(path)) queue.soon();
  });
  return {
    look: queue.now,
    close: async () => {
      queue.stop();
      modules.stop();
      await watcher.close();
    },
  };
}

/** Compiling costs time, so only the module that somebody looks at is compared with its file. */
async function lookAtModule(service: Service, hub: Hub): Promise<void> {
  const [workshop, shown] = [service.studio?.workshop ?? null, lastModule(service)];
  if (workshop === null || shown === null) return;
  const { path, graph, is } = shown;
  const { stale, written } = (await workshop.module(path, graph)) ?? is;
  if (stale === is.stale && written === is.written) return;
  noteModule(service, { path, graph, is: { stale, written } });
  hub.add({ type: "generated", tell: ({ principal }) => (mayRead(principal) ? { stale } : null) });
}

const mayRead = ({ permissions }: { readonly permissions: ReadonlySet<string> }): boolean =>
  permissions.has("read");

/** One look after the other. */
function inTurn(work: () => Promise<void>) {
  let timers: readonly NodeJS.Timeout[] = [];
  let working = Promise.resolve();
  const now = (): Promise<void> => {
    // What cannot be read now is looked at with the next change.
    working = working.then(work).catch(() => {});
    return working;
  };
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer);
  };
  const soon = (): void => {
    stop();
    timers = [QUIET_MS, QUIET_MS + AGAIN_MS].map((ms) => setTimeout(() => void now(), ms).unref());
  };
  return { now, soon, stop };
}

async function watchFolders({ project }: Service, changed: (path: string) => void): Promise<FSWatcher> {
  const { workflows, prompts, agents, data, generated, root, file, isFlat } = project;
  const files = new Set([root, file ?? join(root, CONFIG_NAME), join(root, ENV_FILE)]);
  const deep = [...(isFlat ? [] : [workflows]), prompts, agents, generated];
  const isWatched = (path: string): boolean =>
    files.has(path) ||
    path === workflows ||
    dirname(path) === workflows ||
    deep.some((folder) => isBelow(folder, path)) ||
    (isBelow(data, path) && !/\.(?!csv$)\w+$/i.test(path));
  const watcher = new FSWatcher({
    ignoreInitial: true,
    persistent: false,
    ignored: (path) => !isWatched(path),
  });
  watcher.on("all", (_event, path) => changed(path));
  watcher.on("error", () => {});
  const ready = new Promise<void>((resolve) => watcher.once("ready", resolve));
  watcher.add([root, workflows, prompts, agents, data, generated].filter(existsSync));
  await ready;
  return watcher;
}

/** Hidden folders and packages hold nothing of the project's own. */
function isBelow(folder: string, path: string): boolean {
  const way = path === folder ? "" : wayInside(folder, path);
  return way !== null && !way.split(/[\\/]/).some((part) => part === "node_modules" || part.startsWith("."));
}
