import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Project, RunLimits } from "../../config/folders.js";
import type { ForkPoint } from "../../durable/edits/fork.js";
import { DurableExecutor, type ExecutorParts } from "../../durable/executor.js";
import type { Follower } from "../../durable/following.js";
import type { KeptOptions } from "../../durable/legs/kept-options.js";
import type { Held, Runnable } from "../../durable/legs/leg-world.js";
import type { FullRun, RunRow, WaitRow } from "../../durable/rows.js";
import type { StartedRun, Starter, StartRequest } from "../../durable/starts.js";
import type { DurableStore } from "../../durable/store.js";
import { StoreError } from "../../durable/store-error.js";
import type { StoreTrouble } from "../../durable/trouble.js";
import type { Worker } from "../../durable/worker.js";
import type {
  AnyAgent,
  Carrier,
  Given,
  Json,
  Logger,
  RunOptions,
  StateData,
  Suspended,
} from "../../graph/contract/contract.js";
import { versionOf } from "../../graph/link/fingerprint.js";
import { tableOf } from "../../graph/link/table.js";
import { createState } from "../../graph/values/state.js";
import { type Environment, host } from "../../host.js";
import { MODULE } from "../../workflows/module-text.js";
import { loadGenerated } from "../../workflows/open-generated.js";
import type { OpenedGraph } from "../../workflows/open-graph.js";
import { AgentGone, openKept } from "../../workflows/open-kept.js";
import type { VersionTexts } from "../../workflows/version-texts.js";
import { createReminding } from "../reminders/reminding.js";
import { toWorkflowResult, type WorkflowResult } from "../result.js";
import { sheetFrom } from "../resume.js";
import type { SuspendedRun } from "../suspended.js";
import { EditedSheets, type EditedSheetsOptions } from "./edited-sheets.js";
import { openProjectStore } from "./store-place.js";

export interface KeptRunsOptions {
  readonly project: Project;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
  readonly options: RunOptions;
  readonly redact: (text: string) => string;
  readonly log: Pick<Logger, "warn" | "error">;
  /** For whoever stays: others are told by the error of their call. */
  readonly trouble?: StoreTrouble | undefined;
  readonly told?: ExecutorParts["told"];
}

type Linked = Pick<OpenedGraph, "graph" | "placeOf"> & Partial<Pick<OpenedGraph, "ir">>;

/** So much is read in a part of a second. */
const MOMENT_BYTES = 128_000_000;

/** So many graphs stay linked, those that were used last. */
const MOST = 250;

/** What a run begins with beside its values. */
export type StartAbout = Pick<StartRequest, "sheet" | "limits"> &
  Partial<StartRequest> & {
    /** The trace of whoever begins it. */
    readonly carrier?: Carrier | null;
  };

/** The runs of a project: each goes on with the graph that it began with, whatever its sheet says now. */
export class KeptRuns {
  readonly executor: DurableExecutor;
  readonly redact: (text: string) => string;
  readonly #options: KeptRunsOptions;
  readonly #store: DurableStore;
  readonly #graphs = new Map<string, Linked>();

  static async open(options: KeptRunsOptions): Promise<KeptRuns> {
    return new KeptRuns(options, await openProjectStore(options.project, options.trouble));
  }

  private constructor(options: KeptRunsOptions, store: DurableStore) {
    const { project, redact, log, told } = options;
    const { keeping } = project;
    this.#options = options;
    this.redact = redact;
    this.#store = store;
    this.executor = new DurableExecutor({
      ...{ store, host, log, redact, told },
      graphs: { open: (run) => this.#open(run) },
      remind: createReminding(options),
      settings: {
        ...{ concurrency: keeping.concurrency, limits: keeping.limits, recoveries: keeping.recoveries },
        ...{ deadAfterMs: keeping.deadAfterMs, record: keeping.record },
        retentionMs: keeping.retentionMs,
        erase: keeping.erase === "ended",
      },
    });
  }

  /** What begins a run of an opened graph. Rejects values that no run can begin with. */
  request(opened: OpenedGraph, given: Given, { carrier = null, ...about }: StartAbout): StartRequest {
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
      limits: this.#traced(graph.name, about.limits, carrier),
    };
  }

  #traced(graph: string, limits: KeptOptions, carrier: Carrier | null): KeptOptions {
    const { observer } = this.#options.options;
    const own = limits.carrier ?? observer?.started?.(graph, carrier) ?? null;
    return own === null ? limits : { ...limits, carrier: own };
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

  /** Keeps a run that was driven in memory and now waits. */
  async keepAsleep(
    opened: OpenedGraph,
    { checkpoint, waiting, durationMs }: Suspended<StateData>,
    told: WorkflowResult,
    about: StartAbout,
  ): Promise<void> {
    const { carrier } = checkpoint;
    const limits = carrier === undefined ? about.limits : { ...about.limits, carrier };
    const request = this.request(opened, checkpoint.given, { ...about, limits });
    const result = told as unknown as Json;
    await this.executor.keepAsleep(request, { checkpoint, waiting, result, worked: durationMs });
  }

  #remember(version: string, opened: Linked): void {
    this.#graphs.delete(version);
    this.#graphs.set(version, opened);
    const [oldest] = this.#graphs.keys();
    if (this.#graphs.size > MOST && oldest !== undefined) this.#graphs.delete(oldest);
  }

  async #open(run: FullRun): Promise<Runnable | Held> {
    try {
      const opened = await this.graphOf(run);
      if (opened === null) return { held: `version ${run.version}` };
      const describe: Runnable["describe"] = (result) =>
        toWorkflowResult(result, opened.placeOf) as unknown as Json;
      const { graph, placeOf } = opened;
      return { graph, options: this.#runOptions(), describe, placeOf };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const held = error instanceof AgentGone ? `agent ${error.agent}` : this.#options.redact(error.message);
      return { held, error };
    }
  }

  /** The graph that a run goes on with. Null when it is not there; rejects when it cannot be opened. */
  async graphOf(run: FullRun): Promise<Linked | null> {
    return this.#graphs.get(run.version) ?? (await this.#openModule(run)) ?? (await this.#openKept(run));
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
    const { project, env, redact, registered } = this.#options;
    return new EditedSheets({ ...about, project, env, redact, registered, store: this.#store });
  }

  /** Begins a new run with what another had recorded before a visit. */
  async fork(
    run: RunRow,
    point: ForkPoint,
    { starter, ...about }: { readonly starter: Starter } & Pick<EditedSheetsOptions, "cwd" | "encoding">,
  ): Promise<StartedRun> {
    const current = point.current === true ? await this.edited(about).target(run) : null;
    if (typeof current === "string") throw new StoreError("run_stale", current);
    return this.executor.fork(run.runId, point, { starter, current });
  }

  async follow(runId: string, follower: Follower): ReturnType<DurableExecutor["follow"]> {
    return this.executor.follow(runId, follower);
  }

  /** Rejects when the store is damaged. Whoever stays looks before the first run, where that takes a moment only. */
  checkStore(): Promise<void> {
    return this.#store.check(MOMENT_BYTES);
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
