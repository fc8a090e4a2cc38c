import { type Configuration, loadConfiguration } from "../config/configuration.js";
import { type DataPath, showPath } from "../config/findings.js";
import { ConfigurationError, locateIn, type Project } from "../config/folders.js";
import { fireDue, type Schedule } from "../durable/schedule.js";
import type { DurableStore } from "../durable/store.js";
import { StoreError } from "../durable/store-error.js";
import type { Given, Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import type { Environment } from "../host.js";
import { findGraph, projectSheets } from "../workflows/find-graph.js";
import type { SheetSource } from "../workflows/read-sheet.js";
import { WorkflowError } from "../workflows/workflow-error.js";

/** A run that begins again and again. */
export interface PlannedRun extends Schedule {
  /** As the graph is called in its sheet. */
  readonly graph: string;
  readonly source: SheetSource;
  readonly input: Given;
}

export interface SchedulesWorld {
  readonly cwd: string;
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly log: Pick<Logger, "warn">;
  readonly store: () => Promise<DurableStore>;
  readonly start: (planned: PlannedRun, key: string) => Promise<void>;
}

const LOOK_MS = 1_000;
/** Sheets are read again after this time. */
const READ_MS = 60_000;
/** The pause after a run that could not be begun. */
const PAUSE_MS = 10_000;

/** Begins the scheduled runs of a project. */
export class Schedules {
  readonly #world: SchedulesWorld;
  readonly #paused = new Map<string, number>();
  readonly #told = new Set<string>();
  #planned: readonly PlannedRun[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(world: SchedulesWorld) {
    this.#world = world;
  }

  /** Throws when the configuration schedules a graph that is not there, or that several sheets have. */
  begin(): void {
    this.#read();
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking ??= this.#fire()
      .catch((error: unknown) => this.#tell(messageOf(error)))
      .finally(() => {
        this.#looking = null;
      });
  }

  async #fire(): Promise<void> {
    this.#readAgain();
    const now = performance.now();
    const due = this.#planned.filter(({ name }) => (this.#paused.get(name) ?? 0) <= now);
    if (due.length === 0) return;
    await fireDue(due, {
      store: await this.#world.store(),
      now: Date.now(),
      start: (planned, key) => this.#start(planned, key),
      failed: ({ name }, error) => {
        this.#paused.set(name, performance.now() + PAUSE_MS);
        this.#tell(`the schedule ${JSON.stringify(name)} could not begin its run: ${messageOf(error)}`);
      },
    });
  }

  async #start(planned: PlannedRun, key: string): Promise<void> {
    try {
      await this.#world.start(planned, key);
    } catch (error) {
      // Another worker has begun it, with the input of another configuration.
      if (!(error instanceof StoreError) || error.code !== "key_reused") throw error;
    }
  }

  #tell(message: string): void {
    if (!this.#told.has(message)) this.#world.log.warn(message);
    this.#told.add(message);
  }

  /** What was planned before stays when the files cannot be used. */
  #readAgain(): void {
    if (performance.now() - this.#readAt < READ_MS) return;
    this.#readAt = performance.now();
    try {
      this.#read();
    } catch (error) {
      this.#tell(messageOf(error));
    }
  }

  #read(): void {
    this.#planned = this.#ofConfiguration();
    this.#readAt = performance.now();
  }

  #ofConfiguration(): readonly PlannedRun[] {
    const { cwd, project, encoding } = this.#world;
    const entries = Object.entries(this.#settings());
    if (entries.length === 0) return [];
    const { sheets } = projectSheets(cwd, project);
    const find = (name: string, graph: string): ReturnType<typeof findGraph> => {
      try {
        return findGraph({ sheets, graph, folders: project, encoding });
      } catch (error) {
        throw this.#faultAt(["schedules", name, "graph"], error);
      }
    };
    return entries.map(([name, { graph, cron, timezone = "UTC", input, catch_up: catchUp }]) => {
      const { path, shown } = find(name, graph);
      const source = { path, shown, encoding };
      return { name, cron, timezone, catchUp, input, source, graph: graph.split("::").at(-1) ?? graph };
    });
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
