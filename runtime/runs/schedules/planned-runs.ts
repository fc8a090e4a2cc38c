import { SCHEDULE_DEFAULTS, scheduleOptions } from "../../../compiler/types/schedule-options.js";
import { type Configuration, loadConfiguration } from "../../config/configuration.js";
import { type DataPath, showPath } from "../../config/findings.js";
import { ConfigurationError, locateIn, type Project } from "../../config/folders.js";
import type { Given } from "../../graph/contract/contract.js";
import type { Environment } from "../../host.js";
import { findGraph } from "../../workflows/find-graph.js";
import type { SheetSource } from "../../workflows/read-sheet.js";
import { isSheetPath } from "../../workflows/workbooks.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import type { Schedule } from "./due-times.js";
import { type ScheduledGraph, ScheduledGraphs, type ScheduledGraphsWorld } from "./scheduled-graphs.js";

/** A run that begins again and again. */
export interface PlannedRun extends Schedule {
  /** As the graph is called in its sheet. */
  readonly graph: string;
  readonly source: SheetSource;
  readonly input: Given;
}

export interface PlannedRunsWorld extends ScheduledGraphsWorld {
  readonly project: Project;
  readonly env: Environment;
}

type Entry = Configuration["settings"]["schedules"][string];

/** What a project schedules: its configuration, and its graphs themselves. */
export class PlannedRuns {
  readonly #world: PlannedRunsWorld;
  readonly #graphs: ScheduledGraphs;

  constructor(world: PlannedRunsWorld) {
    this.#world = world;
    this.#graphs = new ScheduledGraphs(world);
  }

  /** Rejects when the configuration schedules a graph that is not there, or that several sheets have. */
  async read(): Promise<readonly PlannedRun[]> {
    const ofGraphs = await this.#graphs.find();
    const entries = Object.entries(this.#settings());
    const own = await Promise.all(entries.map(([name, entry]) => this.#ofEntry(name, entry)));
    const names = new Set(entries.map(([name]) => name));
    const others = ofGraphs.filter(
      ({ graph, group }) => !names.has(graph) && !names.has(`${group}::${graph}`),
    );
    return [...own, ...others.map((one) => this.#ofGraph(one, ofGraphs))];
  }

  async #ofEntry(name: string, entry: Entry): Promise<PlannedRun> {
    const { cron, input } = entry;
    const graph = entry.graph.split("::").at(-1) ?? entry.graph;
    const source = await this.#sourceOf(name, entry.graph);
    const timezone = entry.timezone ?? this.#zoneOf(source, graph);
    return { ...SCHEDULE_DEFAULTS, ...scheduleOptions(entry), name, cron, timezone, input, source, graph };
  }

  /** Several graphs of one name are told apart by their sheets. */
  #ofGraph(
    { graph, group, source, cron, timezone, options }: ScheduledGraph,
    all: readonly ScheduledGraph[],
  ): PlannedRun {
    const isOne = all.filter((other) => other.graph === graph).length === 1;
    const name = isOne ? graph : `${group}::${graph}`;
    const about = { ...SCHEDULE_DEFAULTS, ...options, name, graph, source, cron, input: {} };
    return { ...about, timezone: timezone ?? this.#world.project.timezone ?? "UTC" };
  }

  /** The clock of a graph's `$today` is that of its schedule. */
  #zoneOf(source: SheetSource, graph: string): string {
    const { understand, project } = this.#world;
    const isSheet = isSheetPath(source.path);
    const found = isSheet ? understand(source).graphs.find(({ name }) => name === graph) : undefined;
    return found?.timezone ?? project.timezone ?? "UTC";
  }

  async #sourceOf(name: string, graph: string): Promise<SheetSource> {
    const { project: folders, encoding } = this.#world;
    try {
      const { path, shown } = findGraph({ sheets: this.#graphs.sheets(), graph, folders, encoding });
      return { path, shown, encoding };
    } catch (error) {
      const module = isUnknown(error) ? await this.#graphs.moduleOf(graph) : null;
      if (module !== null) return module;
      throw this.#faultAt(["schedules", name, "graph"], error);
    }
  }

  #faultAt(path: DataPath, error: unknown): unknown {
    const { file } = this.#world.project;
    if (file === null || !(error instanceof WorkflowError)) return error;
    const help = error.help === null ? "" : `; ${error.help}`;
    const place = locateIn(file)(path, "value") ?? undefined;
    return new ConfigurationError(file, `${showPath(path)}: ${error.message}${help}`, place);
  }

  #settings(): Configuration["settings"]["schedules"] {
    const { project, env } = this.#world;
    if (project.file === null || project.configuration["schedules"] === undefined) return {};
    const { configuration, findings } = loadConfiguration({ cwd: project.root, named: project.file, env });
    if (configuration !== null) return configuration.settings.schedules;
    const [fault] = findings.filter(({ effect }) => effect === "stop");
    const message = fault?.message ?? "it cannot be used";
    throw new ConfigurationError(project.file, message, fault?.place ?? undefined);
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof WorkflowError && error.code === "graph_unknown";
