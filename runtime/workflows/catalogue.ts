import { statSync } from "node:fs";
import { relative, sep } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { fileInside } from "../../compiler/files/inside.js";
import { versionOf } from "../../compiler/files/version.js";
import type { GraphIR } from "../../compiler/ir.js";
import type { Project } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { fingerprintOf } from "../graph/link/fingerprint.js";
import { filesInFolder, isTestSheet } from "./find-sheets.js";
import type { GeneratedModule, GeneratedModules } from "./generated-modules.js";
import { sheetNameOf } from "./library.js";
import type { OpenedGraph } from "./open-graph.js";
import { errorsOf, type SheetSource } from "./read-sheet.js";
import { filePathOf } from "./workbooks.js";
import { WorkflowError } from "./workflow-error.js";

export interface Workflow {
  /** The graph's name, or `sheet::graph` when several sheets have a graph of that name. */
  readonly name: string;
  readonly graphName: string;
  /** The sheet's or module's name, before `::`. */
  readonly group: string;
  /** Relative to the workflows folder; null for a generated module. */
  readonly sheet: string | null;
  /** The file, relative to the workflows folder. */
  readonly source: string;
  /** True when its sheet has no error about it, or its module was loaded. */
  readonly valid: boolean;
  readonly ir: GraphIR;
  readonly understanding: Understanding | null;
}

type UnnamedWorkflow = Omit<Workflow, "name">;

export type Lookup =
  | { readonly kind: "found"; readonly workflow: Workflow }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "unknown" };

/** Always reflects the current files. */
export interface Catalogue {
  readonly list: () => readonly Workflow[];
  /** By the graph's name, or as `sheet::graph`. */
  readonly find: (name: string) => Lookup;
  /** Those whose webhook has a path: more than one where sheets contradict each other. */
  readonly atHook: (path: string) => readonly Workflow[];
  readonly ready: () => Promise<void>;
}

export interface CatalogueOptions {
  readonly project: Project;
  readonly encoding: string | null;
  readonly log: Logger;
  readonly understand: (source: SheetSource) => Understanding;
  readonly modules: GeneratedModules;
}

interface Seen {
  readonly stamp: string;
  /** The stamps of all files at that time. */
  readonly folder: string;
  readonly understanding: Understanding | null;
}

interface Index {
  readonly workflows: readonly Workflow[];
  readonly byName: ReadonlyMap<string, readonly Workflow[]>;
  readonly byHook: ReadonlyMap<string, readonly Workflow[]>;
  /** Milliseconds of the last scan: when it ended, and how long it took. */
  readonly ended: number;
  readonly cost: number;
}

/** How long a scan is reused. Each run still checks its own sheet. */
const FRESH_MS = 50;
/** Larger folders are not scanned for every call. */
const MANY = 1_000;

/**
 * A scan costs one stat a file. A file is read again when it changed, or when it had errors that another file may have
 * fixed. Scans of large folders take at most a tenth of the time.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const seen = new Map<string, Seen>();
  const sheetless = createSheetless(options);
  let index: Index | null = null;
  const look = (): Index => {
    const began = performance.now();
    if (index !== null && index.workflows.length > MANY && began < index.ended + 9 * index.cost) return index;
    const workflows = scan(options, seen, sheetless);
    const ended = performance.now();
    const hooked = workflows.filter(({ ir }) => ir.webhook !== null);
    const byHook = grouped(hooked, ({ ir }) => ir.webhook?.path ?? "");
    index = { workflows, byName: indexed(workflows), byHook, ended, cost: ended - began };
    return index;
  };
  const recent = (): Index | null =>
    index !== null && performance.now() < index.ended + FRESH_MS ? index : null;
  return {
    list: () => look().workflows,
    find: (name) => {
      const known = recent();
      const { byName } = known?.byName.has(name) ? known : look();
      const [found, ...others] = byName.get(name) ?? [];
      if (found === undefined) return { kind: "unknown" };
      if (others.length === 0) return { kind: "found", workflow: found };
      return { kind: "ambiguous", names: [found, ...others].map((one) => one.name) };
    },
    atHook: (path) => {
      const known = recent();
      return (known?.byHook.has(path) ? known : look()).byHook.get(path) ?? [];
    },
    ready: async () => {
      look();
      await options.modules.settled();
      index = null;
    },
  };
}

/** The graphs that nodes run: of the same sheet first, else wherever there is one of that name. */
export function graphsOf(workflows: readonly Workflow[]): (name: string, from: GraphIR) => GraphIR | null {
  const byName = indexed(workflows);
  return (name, from) => {
    const found = byName.get(name) ?? [];
    const own = found.find(({ ir }) => ir.file === from.file);
    return own?.ir ?? (found.length === 1 ? found[0]!.ir : null);
  };
}

/** Names of graphs never contain "::", so both keys differ. */
const indexed = (workflows: readonly Workflow[]): Index["byName"] =>
  new Map([
    ...grouped(workflows, ({ graphName }) => graphName),
    ...grouped(workflows, ({ group, graphName }) => `${group}::${graphName}`),
  ]);

function scan(options: CatalogueOptions, seen: Map<string, Seen>, sheetless: Sheetless): readonly Workflow[] {
  const { project, encoding } = options;
  const files = filesOf(options);
  const folder = files.map(({ stamp }) => stamp).join("\n");
  const paths = new Set(files.map(({ path }) => path));
  for (const path of seen.keys()) if (!paths.has(path)) seen.delete(path);
  const sheets = files.flatMap(({ path, shown, stamp }) => {
    const known = seen.get(path);
    const isSound = known?.understanding?.diagnostics.every(({ severity }) => severity !== "error");
    const isCurrent = known?.stamp === stamp && (known.folder === folder || isSound);
    const understanding = isCurrent ? known.understanding : read({ path, shown, encoding }, options);
    seen.set(path, { stamp, folder, understanding });
    return understanding === null ? [] : [{ path, understanding }];
  });
  const own = sheets.flatMap(({ path, understanding }) =>
    understanding.graphs.map((ir) => ({
      graphName: ir.name,
      group: sheetNameOf(path, project.workflows),
      sheet: understanding.file,
      source: understanding.file,
      valid: errorsOf(understanding, ir.name).length === 0,
      ir,
      understanding,
    })),
  );
  return withNames([...own, ...sheetless(own.map(({ ir }) => ir))]);
}

/** A graph's name is enough where it is unique. */
function withNames(found: readonly UnnamedWorkflow[]): readonly Workflow[] {
  const byName = grouped(found, ({ graphName }) => graphName);
  const nameOf = ({ graphName, group }: UnnamedWorkflow): string =>
    byName.get(graphName)?.length === 1 ? graphName : `${group}::${graphName}`;
  return found.map((one) => ({ ...one, name: nameOf(one) }));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function read(source: SheetSource, { log, understand }: CatalogueOptions): Understanding | null {
  try {
    return understand(source);
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    log.warn(error.message);
    return null;
  }
}

interface SheetFile {
  readonly path: string;
  readonly shown: string;
  readonly stamp: string;
}

/** Symbolic links out of the folder are skipped. */
function filesOf({ project: { workflows: root, isFlat }, log }: CatalogueOptions): readonly SheetFile[] {
  try {
    const paths = statSync(root, { throwIfNoEntry: false }) === undefined ? [] : filesInFolder(root, !isFlat);
    return paths.flatMap((path) => {
      const stats = isTestSheet(path) ? null : fileInside(root, filePathOf(path));
      const shown = relative(root, path).replaceAll(sep, "/");
      return stats === null ? [] : [{ path, shown, stamp: `${path} ${versionOf(stats)}` }];
    });
  } catch (error) {
    log.warn(error instanceof WorkflowError ? error.message : "the workflows folder cannot be read");
    return [];
  }
}

type Sheetless = (graphs: readonly GraphIR[]) => readonly UnnamedWorkflow[];

/** A sheet has priority over its module. A module of an old version of the sheet is warned of once. */
function createSheetless({ project, modules, log }: CatalogueOptions): Sheetless {
  const told = new Set<string>();
  const fingerprints = new WeakMap<GraphIR, string>();
  const meaningOf = (ir: GraphIR): string => {
    const known = fingerprints.get(ir) ?? fingerprintOf(ir);
    fingerprints.set(ir, known);
    return known;
  };
  return (graphs) => {
    const byName = grouped(graphs, ({ name }) => name);
    return modules.list().flatMap((module) => {
      const sheets = byName.get(module.name) ?? [];
      if (sheets.length === 0) {
        const opened = modules.graphOf(module);
        return opened === undefined ? [] : [workflowOf(module, opened, project)];
      }
      const isStale = sheets.every((ir) => meaningOf(ir) !== module.fingerprint);
      const key = `${module.stamp} ${sheets.map(meaningOf)}`;
      if (isStale && !told.has(key)) {
        told.add(key);
        log.warn(`${module.file} was made from another version of the sheet: run flowsheet compile`);
      }
      return [];
    });
  };
}

const workflowOf = (
  { name, file, path }: GeneratedModule,
  opened: OpenedGraph | null,
  { workflows }: Project,
): UnnamedWorkflow => ({
  graphName: name,
  group: file.replace(/\.gen\.ts$/, ""),
  sheet: null,
  source: relative(workflows, path).replaceAll(sep, "/"),
  valid: opened !== null,
  // A module that failed to load has no model.
  ir: opened?.ir ?? {
    name,
    file,
    nodes: [],
    fields: [],
    splits: [],
    timezone: null,
    schedule: null,
    webhook: null,
    mayFail: false,
  },
  understanding: null,
});
