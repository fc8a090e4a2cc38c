import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Project, RunLimits } from "../config/folders.js";
import { DurableExecutor, type Follower, isEnded, type StartRequest } from "../durable/executor.js";
import type { Held, Runnable } from "../durable/leg.js";
import type { FullRun, RunRow, WaitRow } from "../durable/rows.js";
import { openSqliteStore } from "../durable/sqlite/store.js";
import type { DurableStore } from "../durable/store.js";
import type { Worker } from "../durable/worker.js";
import type { AnyAgent, Given, Json, Logger, RunOptions, StateData } from "../graph/contract/contract.js";
import { versionOf } from "../graph/link/fingerprint.js";
import { tableOf } from "../graph/link/table.js";
import { createState } from "../graph/values/state.js";
import { type Environment, host } from "../host.js";
import { MODULE } from "../workflows/module-text.js";
import { loadGenerated } from "../workflows/open-generated.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { AgentGone, openKept } from "../workflows/open-kept.js";
import type { VersionTexts } from "../workflows/version-texts.js";
import { EditedSheets, type EditedSheetsOptions } from "./edited-sheets.js";
import { toWorkflowResult } from "./result.js";
import { sheetFrom } from "./resume.js";
import type { IndexedRun, SuspendedRun } from "./suspended.js";

export interface KeptRunsOptions {
  readonly project: Project;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
  readonly options: RunOptions;
  readonly redact: (text: string) => string;
  readonly log: Pick<Logger, "warn" | "error">;
}

type Linked = Pick<OpenedGraph, "graph" | "placeOf">;

/** So many graphs stay linked, those that were used last. */
const MOST = 250;

/** The file of the runs that a project keeps. */
export const storeFile = ({ runs }: Pick<Project, "runs">): string => join(runs, "runs.db");

/** The runs of a project: each goes on with the graph that it began with, whatever its sheet says now. */
export class KeptRuns {
  readonly executor: DurableExecutor;
  readonly #options: KeptRunsOptions;
  readonly #store: DurableStore;
  readonly #graphs = new Map<string, Linked>();

  static async open(options: KeptRunsOptions): Promise<KeptRuns> {
    const { project } = options;
    const { durability } = project.keeping;
    return new KeptRuns(options, await openSqliteStore(storeFile(project), { durability }));
  }

  private constructor(options: KeptRunsOptions, store: DurableStore) {
    const { project, redact, log } = options;
    const { keeping } = project;
    this.#options = options;
    this.#store = store;
    this.executor = new DurableExecutor({
      ...{ store, host, log, redact },
      graphs: { open: (run) => this.#open(run) },
      settings: {
        ...{ concurrency: keeping.concurrency, limits: keeping.limits, recoveries: keeping.recoveries },
        ...{ deadAfterMs: keeping.deadAfterMs, record: keeping.record },
        retentionMs: keeping.retentionMs,
        erase: keeping.erase === "ended",
        forget: () => false,
      },
    });
  }

  /** What begins a run of an opened graph. Rejects values that no run can begin with. */
  request(
    opened: OpenedGraph,
    given: Given,
    about: Pick<StartRequest, "sheet" | "limits"> & Partial<StartRequest>,
  ): StartRequest {
    const { graph, texts = () => null } = opened;
    const version = versionOf(graph);
    this.#remember(version, opened);
    const state = createState(given, tableOf(graph.definition).State);
    return {
      graph: graph.name,
      version,
      texts: () => texts() as unknown as Json,
      given: { ...state } as StateData,
      ...about,
    };
  }

  /** What a run begins with beside its values; the limits that are not given are the project's. */
  about(
    path: string | null,
    { maxSteps, timeoutMs }: { readonly [K in keyof RunLimits]?: RunLimits[K] | undefined },
  ): Pick<StartRequest, "sheet" | "limits" | "deadline"> {
    const { root, execution, keeping } = this.#options.project;
    return {
      sheet: path === null ? null : sheetFrom(root, path),
      limits: { maxSteps: maxSteps ?? execution.maxSteps, timeoutMs: timeoutMs ?? execution.timeoutMs },
      deadline: keeping.deadlineMs === null ? null : Date.now() + keeping.deadlineMs,
    };
  }

  #remember(version: string, opened: Linked): void {
    this.#graphs.delete(version);
    this.#graphs.set(version, opened);
    const [oldest] = this.#graphs.keys();
    if (this.#graphs.size > MOST && oldest !== undefined) this.#graphs.delete(oldest);
  }

  async #open(run: FullRun): Promise<Runnable | Held> {
    try {
      const known = this.#graphs.get(run.version) ?? (await this.#openModule(run));
      const opened = known ?? (await this.#openKept(run));
      if (opened === null) return { held: `version ${run.version}` };
      const describe: Runnable["describe"] = (result) =>
        toWorkflowResult(result, opened.placeOf) as unknown as Json;
      return { graph: opened.graph, options: this.#runOptions(), describe };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const held = error instanceof AgentGone ? `agent ${error.agent}` : this.#options.redact(error.message);
      return { held, error };
    }
  }

  /** The generated module that the run began with, when it still is of that version. */
  async #openModule({ sheet, graph: name, version }: FullRun): Promise<Linked | null> {
    const { root, generated } = this.#options.project;
    const path = sheet?.endsWith(MODULE) === true ? resolve(root, sheet) : null;
    if (path === null || dirname(path) !== generated || !existsSync(path)) return null;
    const graph = await loadGenerated(path, name, root);
    if (graph === undefined || versionOf(graph) !== version) return null;
    const opened = { graph, placeOf: () => null };
    this.#remember(version, opened);
    return opened;
  }

  #runOptions(): RunOptions {
    const { options, project } = this.#options;
    return project.timezone === null ? options : { ...options, timezone: project.timezone };
  }

  async #openKept({ version }: FullRun): Promise<OpenedGraph | null> {
    const { project, env, registered } = this.#options;
    const texts = (await this.#store.version(version))?.texts as unknown as VersionTexts | null | undefined;
    if (texts === null || texts === undefined) return null;
    const opened = await openKept(texts, { folders: project, env, registered });
    if (versionOf(opened.graph) !== version) return null;
    this.#remember(version, opened);
    return opened;
  }

  /** The sheets as they now are, to hold open runs against. */
  edited(about: Pick<EditedSheetsOptions, "cwd" | "encoding">): EditedSheets {
    const { project, env, redact } = this.#options;
    return new EditedSheets({ ...about, project, env, redact, store: this.#store });
  }

  async follow(runId: string, follower: Follower): ReturnType<DurableExecutor["follow"]> {
    return this.executor.follow(runId, follower);
  }

  work(): Worker {
    return this.executor.work();
  }

  /** The runs that wait, longest first. */
  async waiting(): Promise<readonly SuspendedRun[]> {
    const found: SuspendedRun[] = [];
    let cursor: string | undefined;
    do {
      const query = { status: ["waiting" as const], limit: 200 };
      const page = await this.executor.list(cursor === undefined ? query : { ...query, cursor });
      const waits = await this.#store.openWaits(page.runs.map(({ runId }) => runId));
      for (const run of page.runs) found.push(suspendedOf(run, waits.get(run.runId) ?? []));
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    return found.sort((a, b) => (a.suspendedAt < b.suspendedAt ? -1 : 1));
  }

  async index(): Promise<readonly IndexedRun[]> {
    return (await this.waiting()).map(({ runId, sheet, suspendedAt }) => ({ runId, sheet, suspendedAt }));
  }

  /** Null for an unknown run, and for one that has ended. */
  async find(runId: string): Promise<SuspendedRun | null> {
    const run = await this.executor.get(runId);
    if (run === null || isEnded(run)) return null;
    const waits = await this.executor.waits(runId);
    return suspendedOf(
      run,
      waits.filter(({ ending }) => ending === null),
    );
  }

  async count(): Promise<number> {
    return (await this.#store.counts({})).waiting ?? 0;
  }

  close(graceMs?: number): Promise<void> {
    return this.executor.close(graceMs);
  }
}

const STATUS = { waiting: "waiting", queued: "interrupted", stuck: "interrupted", running: "taken" } as const;

function suspendedOf(run: RunRow, waits: readonly WaitRow[]): SuspendedRun {
  const { runId, graph, sheet, suspended, created } = run;
  return {
    ...{ runId, graph, sheet, waiting: waits.map(({ waiting }) => waiting) },
    suspendedAt: new Date(suspended ?? created).toISOString(),
    status: STATUS[run.status as keyof typeof STATUS] ?? "ended",
  };
}
