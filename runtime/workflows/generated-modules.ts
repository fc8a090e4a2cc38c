import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "../../compiler/files/version.js";
import type { Folders } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { createGivenCheck } from "../runs/given.js";
import { modelOf } from "./definition-model.js";
import { moduleFiles, readModule } from "./module-text.js";
import { loadGenerated } from "./open-generated.js";
import type { OpenedGraph } from "./open-graph.js";

/** Parsed from its text, without running it. */
export interface GeneratedModule {
  readonly path: string;
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly isScheduled: boolean;
  readonly stamp: string;
}

export type GeneratedModules = ReturnType<typeof createGeneratedModules>;

type ModuleFolders = Pick<Folders, "root" | "generated">;

interface Loaded {
  readonly stamp: string;
  graph: OpenedGraph | null | undefined;
  loading: Promise<void> | null;
}

/** Texts are read when files change. Modules are loaded on demand. */
export function createGeneratedModules(folders: ModuleFolders, log: Logger) {
  const texts = new Map<string, GeneratedModule | null>();
  const loaded = new Map<string, Loaded>();
  const begin = (module: GeneratedModule, before: Loaded | undefined): Loaded => {
    const made: Loaded = { stamp: module.stamp, graph: before?.graph, loading: null };
    made.loading = load(module, folders, log).then((graph) => {
      made.graph = graph;
      made.loading = null;
    });
    loaded.set(module.path, made);
    return made;
  };
  return {
    list: (): readonly GeneratedModule[] => {
      const modules = modulesIn(folders.generated, texts);
      const paths = new Set(modules.map(({ path }) => path));
      for (const path of loaded.keys()) if (!paths.has(path)) loaded.delete(path);
      return modules;
    },
    /** The last loaded version: null when loading failed, undefined during the first load. A change loads it again. */
    graphOf: (module: GeneratedModule): OpenedGraph | null | undefined => {
      const known = loaded.get(module.path);
      return (known?.stamp === module.stamp ? known : begin(module, known)).graph;
    },
    known: (path: string): OpenedGraph | undefined => loaded.get(path)?.graph ?? undefined,
    settled: async (): Promise<void> => {
      await Promise.all([...loaded.values()].map(({ loading }) => loading));
    },
  };
}

async function load(
  { path, file, name, fingerprint }: GeneratedModule,
  folders: ModuleFolders,
  log: Logger,
): Promise<OpenedGraph | null> {
  try {
    const graph = await loadGenerated(path, name, folders.root);
    if (graph?.fingerprint !== fingerprint) throw new Error("it holds another graph than its text tells");
    const ir = modelOf(graph.definition, file);
    const nothing = (): null => null;
    return { ir, family: [ir], graph, childOf: nothing, placeOf: nothing, checkGiven: createGivenCheck(ir) };
  } catch (error) {
    log.warn(`the generated module ${file} cannot be loaded`, {
      reason: error instanceof Error ? error.message : String(error),
    });
    return null;
  }
}

function modulesIn(folder: string, texts: Map<string, GeneratedModule | null>): readonly GeneratedModule[] {
  const found = (attempt(() => moduleFiles(folder)) ?? []).flatMap((file) => {
    const path = join(folder, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A symbolic link may lead out of the folder.
    return stats?.isFile() === true ? [{ path, file, stamp: `${path} ${versionOf(stats)}` }] : [];
  });
  const stamps = new Set(found.map(({ stamp }) => stamp));
  for (const stamp of texts.keys()) if (!stamps.has(stamp)) texts.delete(stamp);
  return found.flatMap((at) => {
    const known = texts.get(at.stamp);
    const module = known === undefined ? moduleAt(at) : known;
    texts.set(at.stamp, module);
    return module === null ? [] : [module];
  });
}

function moduleAt(at: Pick<GeneratedModule, "path" | "file" | "stamp">): GeneratedModule | null {
  const text = attempt(() => readModule(readFileSync(at.path, "utf8")));
  const { fingerprint = null } = text ?? {};
  return text === null || fingerprint === null ? null : { ...at, ...text, fingerprint };
}

/** What cannot be read is passed over. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
