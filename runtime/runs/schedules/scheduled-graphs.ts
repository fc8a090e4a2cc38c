import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Understanding } from "../../../compiler/compile.js";
import { scheduleData } from "../../../compiler/definition.js";
import { versionOf } from "../../../compiler/files/version.js";
import type { GraphIR } from "../../../compiler/ir.js";
import type { ScheduleOptions } from "../../../compiler/types/schedule-options.js";
import type { Folders } from "../../config/folders.js";
import { projectSheets } from "../../workflows/find-graph.js";
import { nameFrom, type SheetPath } from "../../workflows/find-sheets.js";
import type { GeneratedModule, GeneratedModules } from "../../workflows/generated-modules.js";
import { sheetNameOf } from "../../workflows/library.js";
import { MODULE } from "../../workflows/module-text.js";
import { errorsOf, graphNamesIn, type SheetSource, settingsIn } from "../../workflows/read-sheet.js";
import { filePathOf, openSheet } from "../../workflows/workbooks.js";

/** A graph whose first row, or whose generated module, says when it begins. */
export interface ScheduledGraph {
  readonly graph: string;
  /** Its sheet or module, before `::`. */
  readonly group: string;
  readonly source: SheetSource;
  readonly cron: string;
  readonly options: ScheduleOptions;
  /** Null: that of the project. */
  readonly timezone: string | null;
}

export interface ScheduledGraphsWorld {
  readonly cwd: string;
  readonly project: Folders;
  readonly encoding: string | null;
  readonly understand: (source: SheetSource) => Understanding;
  /** Null where modules are not run. */
  readonly modules: GeneratedModules | null;
  readonly warn: (message: string) => void;
}

interface LoadedModule {
  readonly ir: GraphIR;
  readonly source: SheetSource;
}

/** A version of a file, without analysis. */
interface Glance {
  readonly source: SheetSource;
  readonly isNamed: boolean;
  readonly stamp: string;
  readonly isScheduled: boolean;
  /** Its graphs, where they were asked for. */
  names: ReadonlySet<string> | null;
}

/** Finds the scheduled graphs of a project. Sheets are read when they change, and parsed when they have the word. */
export class ScheduledGraphs {
  readonly #world: ScheduledGraphsWorld;
  #glances = new Map<string, Glance>();

  constructor(world: ScheduledGraphsWorld) {
    this.#world = world;
  }

  /** A project of generated modules needs no folder for sheets. */
  sheets(): readonly SheetPath[] {
    const { cwd, project } = this.#world;
    return existsSync(project.file === null ? cwd : project.workflows)
      ? projectSheets(cwd, project).sheets
      : [];
  }

  async find(): Promise<readonly ScheduledGraph[]> {
    const glances = this.sheets().flatMap((sheet) => this.#glance(sheet) ?? []);
    this.#glances = new Map(glances.map((one) => [one.source.path, one]));
    const found = glances.flatMap(({ source, isScheduled }) => (isScheduled ? this.#inSheet(source) : []));
    return [...found, ...(await this.#inModules(new Set(found.map(({ graph }) => graph))))];
  }

  #glance({ path, shown, named: isNamed }: SheetPath): Glance | null {
    const stats = path === null ? undefined : statSync(filePathOf(path), { throwIfNoEntry: false });
    if (path === null || stats === undefined) return null;
    const stamp = versionOf(stats);
    const known = this.#glances.get(path);
    if (known?.stamp === stamp) return known;
    const source = { path, shown, encoding: this.#world.encoding };
    const isScheduled = hasWord(path) && [...settingsIn(source, isNamed).values()].some(isOfTime);
    return { source, isNamed, stamp, isScheduled, names: null };
  }

  #inSheet(source: SheetSource): readonly ScheduledGraph[] {
    const understanding = this.#world.understand(source);
    const group = sheetNameOf(source.path, this.#world.project.workflows);
    return understanding.graphs.flatMap((graph) => {
      const [fault] = errorsOf(understanding, graph.name).filter(
        ({ message }) => graph.schedule !== null || message.startsWith('setting "schedule"'),
      );
      if (fault === undefined) return scheduled(graph, { group, source });
      const at = fault.place === null ? "" : `:${fault.place.line}:${fault.place.column}`;
      const name = JSON.stringify(graph.name);
      this.#world.warn(`the schedule of ${name} begins nothing: ${source.shown}${at}: ${fault.message}`);
      return [];
    });
  }

  /** A sheet has priority over its module, also one that schedules nothing any more. */
  async #inModules(known: ReadonlySet<string>): Promise<readonly ScheduledGraph[]> {
    const isMeant = ({ name, isScheduled }: GeneratedModule): boolean =>
      isScheduled && !known.has(name) && ![...this.#glances.values()].some((one) => hasGraph(one, name));
    const found = await this.#loaded(isMeant);
    return found.flatMap(({ ir, source }) => scheduled(ir, { group: basename(source.path, MODULE), source }));
  }

  /** The generated module of a graph; null when there is none, or when it cannot be loaded. */
  async moduleOf(graph: string): Promise<SheetSource | null> {
    const [found] = await this.#loaded(({ name }) => name === graph);
    return found?.source ?? null;
  }

  async #loaded(isMeant: (module: GeneratedModule) => boolean): Promise<readonly LoadedModule[]> {
    const { modules, encoding } = this.#world;
    const meant = modules?.list().filter(isMeant) ?? [];
    for (const module of meant) modules?.graphOf(module);
    if (meant.length > 0) await modules?.settled();
    return meant.flatMap((module) => {
      const ir = modules?.graphOf(module)?.ir;
      const source = { path: module.path, shown: nameFrom(this.#world.cwd, module.path), encoding };
      return ir === undefined ? [] : [{ ir, source }];
    });
  }
}

/** Parsing takes far longer. Headers match ignoring spaces, and every other byte of UTF-16 is zero. */
function hasWord(path: string): boolean {
  const opened = openSheet(path);
  if (opened.kind !== "bytes") return false;
  const text = Buffer.from(opened.bytes).toString("latin1");
  return text
    .replace(/[\s_\0-]+/g, "")
    .toLowerCase()
    .includes("schedule");
}

function hasGraph(glance: Glance, name: string): boolean {
  glance.names ??= graphNamesIn(glance.source, glance.isNamed);
  return glance.names.has(name);
}

const isOfTime = (settings: ReadonlySet<string>): boolean => settings.has("schedule");

function scheduled(ir: GraphIR, about: Pick<ScheduledGraph, "group" | "source">): readonly ScheduledGraph[] {
  const { schedule: cron, ...options } = scheduleData(ir);
  return cron === undefined ? [] : [{ ...about, graph: ir.name, cron, timezone: ir.timezone, options }];
}
