import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import {
  DidChangeWatchedFilesNotification,
  type Disposable,
  type FileSystemWatcher,
  type ProtocolConnection,
  RegistrationRequest,
  UnregistrationRequest,
} from "vscode-languageserver/node";
import { wayInside } from "../../../compiler/files/inside.js";
import { CONFIG_NAME, type Project } from "../../../runtime/config/folders.js";
import { toolTypesFile } from "../../../runtime/net/assistants/kept-types.js";
import type { Client } from "../wire/client.js";

/** A folder whose files count, and how deep. */
interface Watched {
  readonly folder: string;
  readonly deep: boolean;
  /** One file of the folder alone. */
  readonly only?: string;
}

export interface Watching {
  /** Watches what these projects are made of, in place of what was watched before. */
  readonly follow: (projects: readonly Project[]) => void;
  readonly end: () => void;
}

export interface WatchingOptions {
  readonly connection: ProtocolConnection;
  readonly client: Client;
  /** Called with each file that is other than before, is new or is gone. */
  readonly onChange: (path: string) => void;
  readonly onFault: (what: string, error: unknown) => void;
}

/** The client watches, or this process when the client cannot. */
export function watch(options: WatchingOptions): Watching {
  let known = "";
  let end: Promise<Disposable> | null = null;
  const stop = (): void => {
    void end?.then((one) => one.dispose()).catch(() => {});
    end = null;
  };
  return {
    follow: (projects) => {
      const places = placesOf(projects);
      const key = JSON.stringify(places);
      if (key === known) return;
      known = key;
      stop();
      // A client may refuse what it has said that it can do.
      end = options.client.canWatch
        ? watchThere(places, options).catch(() => watchHere(places, options))
        : watchHere(places, options);
      end.catch((error: unknown) => options.onFault("watching", error));
    },
    end: stop,
  };
}

/** Folders inside of others that are watched as deep are left out. */
function placesOf(projects: readonly Project[]): readonly Watched[] {
  const all = projects.flatMap(({ root, workflows, agents, prompts, data }) => [
    { folder: root, deep: false },
    // The folder also holds runs, which change all the time.
    { folder: dirname(toolTypesFile(root)), deep: false, only: basename(toolTypesFile(root)) },
    ...[workflows, agents, prompts].map((folder) => ({ folder, deep: true })),
    // It holds the tables of formulas. One that holds the project, too, is watched as the root is.
    ...(data === root || wayInside(data, root) !== null ? [] : [{ folder: data, deep: true }]),
  ]);
  const isInner = (one: Watched): boolean =>
    all.some(
      (other) =>
        other !== one &&
        other.deep &&
        other.folder !== one.folder &&
        wayInside(other.folder, one.folder) !== null,
    );
  const found = new Map<string, Watched>();
  for (const one of all) {
    const known = found.get(one.folder);
    if (one.only !== undefined) found.set(one.folder, one);
    else if (!isInner(one))
      found.set(one.folder, { folder: one.folder, deep: one.deep || known?.deep === true });
  }
  return [...found.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

async function watchThere(
  places: readonly Watched[],
  { connection, client }: WatchingOptions,
): Promise<Disposable> {
  const watchers: FileSystemWatcher[] = client.watchesFolders
    ? places.map(({ folder, deep, only }) => ({
        globPattern: { baseUri: pathToFileURL(folder).href, pattern: only ?? (deep ? "**" : "*") },
      }))
    : [
        "*.csv",
        CONFIG_NAME,
        ...places.flatMap(({ folder, deep, only }) => {
          if (only !== undefined) return [`${basename(folder)}/${only}`];
          return deep ? [`${basename(folder)}/**`] : [];
        }),
      ].map((pattern) => ({ globPattern: `**/${pattern}` }));
  const registration = {
    id: `flowsheet-${++registrations}`,
    method: DidChangeWatchedFilesNotification.method,
    registerOptions: { watchers },
  };
  await connection.sendRequest(RegistrationRequest.type, { registrations: [registration] });
  const unregisterations = [{ id: registration.id, method: registration.method }];
  return {
    dispose: () => {
      connection.sendRequest(UnregistrationRequest.type, { unregisterations }).catch(() => {});
    },
  };
}

let registrations = 0;

async function watchHere(
  places: readonly Watched[],
  { onChange, onFault }: WatchingOptions,
): Promise<Disposable> {
  const { FSWatcher } = await import("chokidar");
  const watcher = new FSWatcher({ ignoreInitial: true, ignored: (path) => !isWatched(path, places) });
  watcher.on("all", (_event, path) => onChange(path));
  watcher.on("error", (error) => onFault("watching", error));
  const ready = new Promise<void>((resolve) => watcher.once("ready", resolve));
  // A folder that is not there yet is noticed through the one that holds it.
  watcher.add([...new Set(places.flatMap(({ folder }) => [folder, join(folder, "..")]))]);
  await ready;
  return { dispose: () => void watcher.close() };
}

function isWatched(path: string, places: readonly Watched[]): boolean {
  return places.some(({ folder, deep, only }) => {
    const way = relative(folder, path);
    if (only !== undefined) return way === "" || way === only;
    if (way === "" || relative(path, folder) === basename(folder)) return true;
    const parts = way.split(/[\\/]/);
    const isBelow = wayInside(folder, path) !== null && (deep || parts.length === 1);
    return (
      isBelow && !parts.some((part) => part === "node_modules" || (part.startsWith(".") && part !== ".env"))
    );
  });
}
