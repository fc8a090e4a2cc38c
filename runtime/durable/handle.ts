import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSecret } from "../config/secret.js";
import { isPostgres } from "../config/store-setting.js";
import type {
  Answers,
  AnyGraph,
  Completed,
  Failed,
  Graph,
  Json,
  Logger,
  Services,
  StateData,
} from "../graph/contract/contract.js";
import { versionOf } from "../graph/link/fingerprint.js";
import { tableOf } from "../graph/link/table.js";
import { createState } from "../graph/values/state.js";
import { host } from "../host.js";
import { toWorkflowResult, type WorkflowResult } from "../runs/result.js";
import { checkStart, type StartOptions } from "../runs/start-options.js";
import type { ForkPoint } from "./edits/fork.js";
import { checkRuns, type MoveTarget, type RunFit } from "./edits/moves.js";
import { DurableExecutor } from "./executor.js";
import { isEnded, resultOf } from "./kept-result.js";
import { openStore } from "./open-store.js";
import type { EventRow, FullRun, RunStatus } from "./rows.js";
import type { StartedRun, StartRequest } from "./starts.js";
import type { DurableStore, RowPage, RowQuery } from "./store.js";
import { StoreError } from "./store-error.js";
import { StoreTrouble } from "./trouble.js";
import type { Worker, WorkOptions } from "./worker.js";

/** A graph of a generated module, or of `defineGraph`. */
export type RunnableGraph = Pick<AnyGraph, "name" | "fingerprint"> & { readonly definition: object };

export interface ExecutorOptions {
  /** `sqlite:` and the path of a file, which is made when it is missing; or the address of a PostgreSQL server. */
  readonly store: string;
  /** The graphs that are run and worked on here. A run of another version of one is left to others. */
  readonly graphs: readonly RunnableGraph[];
  readonly services?: Partial<Services>;
  readonly log?: Logger;
  /** Runs that a worker has at work at a time. */
  readonly concurrency?: number;
  /** Runs of a graph at work at a time, over all workers. */
  readonly limits?: { readonly [graph: string]: number };
  readonly durability?: "process" | "power";
  /** Connections to a server, at most. */
  readonly connections?: number;
}

/** Where a fork leaves its run, and what is other from there on. */
export interface ForkOptions
  extends Pick<ForkPoint, "from" | "set" | "current">,
    Pick<StartOptions, "key" | "userId"> {}
/** Who gives an answer. */
export interface AnsweredBy {
  readonly userId?: string;
  readonly roles?: readonly string[];
}

/** A run, as whoever started it holds it. */
export interface RunHandle<S, N extends string = string> {
  readonly runId: string;
  /** False when the key had begun the run before. */
  readonly created: boolean;
  /** Resolves when the run has ended, however long it waits before. Works on it here when nobody else does. */
  result(): Promise<Completed<S, N> | Failed<S, N>>;
}

/** A run as it is kept. */
export interface RunDetail {
  readonly runId: string;
  readonly graph: string;
  readonly status: RunStatus;
  readonly key: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Why it cannot go on anywhere at present. */
  readonly held: string | null;
  /** The questions that it waits for. */
  readonly waiting: readonly { readonly node: string; readonly prompt: string }[];
  /** Null until it ends or waits. */
  readonly result: WorkflowResult | null;
}

/** Starts runs that outlive their process, works on them, and says what became of them. */
export interface Executor {
  start<I, S, N>(
    graph: Graph<I, S, N>,
    input: I,
    options?: StartOptions,
  ): Promise<RunHandle<S, keyof N & string>>;
  get(runId: string): Promise<RunDetail | null>;
  list(query?: RowQuery): Promise<RowPage>;
  /** Without saying who answers, what is asked of somebody is refused. */
  answer(runId: string, answers: Answers, by?: AnsweredBy): Promise<void>;
  /** The events after a number, until the run ends. */
  events(runId: string, after?: number): AsyncIterable<EventRow>;
  cancel(runId: string): Promise<void>;
  /** Goes on with a failed, cancelled or stuck run: from the throw that made it fail, or from a node's last visit. */
  retry(runId: string, from?: string): Promise<void>;
  /** Begins a new run with what another had recorded before a visit. */
  fork(runId: string, at: ForkOptions): Promise<RunHandle<unknown>>;
  work(options?: WorkOptions): Worker;
  /** The open runs of other versions of a graph: whether they could go on in this one. */
  check(graph: RunnableGraph): Promise<readonly RunFit[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 100;
const DEAD_AFTER_MS = 30_000;

export async function createExecutor(options: ExecutorOptions): Promise<Executor> {
  return new GraphExecutor(options, await openStoreOf(options));
}

async function openStoreOf({
  store,
  connections = 10,
  durability = "process",
  log = console,
}: ExecutorOptions): Promise<DurableStore> {
  const [, file = null] = /^sqlite:(.+)$/.exec(store) ?? [];
  if (file === null && !isPostgres(store))
    throw new StoreError("store_unusable", `there is no store ${JSON.stringify(store.split(":")[0])}`, {
      help: "write sqlite: and the path of a file, or the address of a server: postgres://…",
    });
  // One is held while DBOS makes its tables with another.
  const place = { durability, connections: Math.max(connections, 2), file: file ?? "", root: resolve(".") };
  return openStore(
    { ...place, store: file === null ? createSecret(store) : "sqlite" },
    new StoreTrouble(log),
  );
}

class GraphExecutor implements Executor {
  readonly #core: DurableExecutor;
  readonly #graphs = new Map<string, AnyGraph>();

  constructor(options: ExecutorOptions, store: DurableStore) {
    const { graphs, services, log = console, concurrency = 10, limits = {} } = options;
    for (const graph of graphs) this.#know(graph);
    const shared = services === undefined ? { log } : { services, log };
    this.#core = new DurableExecutor({
      ...{ store, host, log, redact: (text) => text },
      settings: {
        ...{ concurrency, limits, recoveries: 5, deadAfterMs: DEAD_AFTER_MS },
        ...{ record: "full", erase: false },
      },
      graphs: {
        open: async ({ version }) => {
          const graph = this.#graphs.get(version);
          if (graph === undefined) return { held: `version ${version}` };
          const describe = (result: Parameters<typeof toWorkflowResult>[0]): Json =>
            toWorkflowResult(result, () => null) as unknown as Json;
          return { graph, options: shared, describe };
        },
      },
    });
  }

  #know(given: RunnableGraph): AnyGraph {
    const graph = given as AnyGraph;
    this.#graphs.set(versionOf(graph), graph);
    return graph;
  }

  async start<I, S, N>(
    graph: Graph<I, S, N>,
    input: I,
    options: StartOptions = {},
  ): Promise<RunHandle<S, keyof N & string>> {
    checkStart(options);
    const request = requestOf(this.#know(graph as unknown as RunnableGraph), input as object, options);
    return this.#handle(await this.#core.start(request));
  }

  async #result<S, N extends string>(runId: string): Promise<Completed<S, N> | Failed<S, N>> {
    for (;;) {
      const followed = await this.#core.follow(runId, {});
      if (followed.kind === "result" && followed.result.status !== "suspended")
        return typed<S, N>(followed.result);
      await pause(PATIENCE_MS);
    }
  }

  async get(runId: string): Promise<RunDetail | null> {
    const run = await this.#core.get(runId);
    return run === null ? null : detailOf(run, await this.#core.waits(runId));
  }

  list(query: RowQuery = {}): Promise<RowPage> {
    return this.#core.list(query);
  }

  answer(runId: string, answers: Answers, { userId, roles = [] }: AnsweredBy = {}): Promise<void> {
    return this.#core.answer(runId, answers, { user: userId ?? null, roles, isAdmin: false });
  }

  async *events(runId: string, after = 0): AsyncGenerator<EventRow, undefined> {
    for (let last = after; ; ) {
      const events = await this.#core.events(runId, { after: last });
      yield* events;
      last = events.at(-1)?.n ?? last;
      if (events.length > 0) continue;
      const run = await this.#core.get(runId);
      if (run === null || isEnded(run)) return;
      await pause(PATIENCE_MS);
    }
  }

  async cancel(runId: string): Promise<void> {
    await this.#core.cancel(runId);
  }

  async retry(runId: string, from?: string): Promise<void> {
    await this.#core.retry(runId, from ?? null);
  }

  async fork(runId: string, at: ForkOptions): Promise<RunHandle<unknown>> {
    const { key, userId = null, ...point } = at;
    checkStart(at);
    const starter = { key: key ?? null, userId, startedBy: userId };
    const current = point.current === true ? await this.#currentOf(runId) : null;
    return this.#handle(await this.#core.fork(runId, point, { starter, current }));
  }

  /** The graph of a run as it was given last. */
  async #currentOf(runId: string): Promise<MoveTarget> {
    const name = (await this.#core.get(runId))?.graph;
    const graph = [...this.#graphs.values()].findLast((one) => one.name === name);
    if (graph !== undefined) return { graph, sheet: null, texts: () => null };
    throw new StoreError("run_stale", `the graph of the run ${runId} is not among those of this executor`);
  }

  #handle<S, N extends string>({ created, run: { runId } }: StartedRun): RunHandle<S, N> {
    return { runId, created, result: () => this.#result(runId) };
  }

  work(options?: WorkOptions): Worker {
    return this.#core.work(options);
  }

  check(graph: RunnableGraph): Promise<readonly RunFit[]> {
    return checkRuns(this.#core.store, graph as AnyGraph);
  }

  close(): Promise<void> {
    return this.#core.close();
  }
}

function requestOf(graph: AnyGraph, input: object, options: StartOptions): StartRequest {
  const { key = null, deadlineMs, at, timeoutMs = null, maxSteps = null, userId = null } = options;
  const state = createState(input as StateData, tableOf(graph.definition).State);
  return {
    ...{ graph: graph.name, sheet: null, version: versionOf(graph), texts: () => null, key, userId },
    given: { ...state } as StateData,
    limits: { maxSteps, timeoutMs },
    at: at?.getTime() ?? null,
    deadline: deadlineMs === undefined ? null : Date.now() + deadlineMs,
  };
}

/** The result in the form of `graph.run`. */
function typed<S, N extends string>(result: WorkflowResult): Completed<S, N> | Failed<S, N> {
  const { success: _success, error, ...told } = result;
  const { file: _file, line: _line, cell: _cell, ...failure } = error ?? {};
  return { ...told, error: error === null ? null : failure } as unknown as Completed<S, N> | Failed<S, N>;
}

function detailOf(run: FullRun, waits: Awaited<ReturnType<DurableExecutor["waits"]>>): RunDetail {
  const { runId, graph, status, key, created, ended, held } = run;
  const open = waits.filter(({ ending }) => ending === null);
  return {
    ...{ runId, graph, status, key, held },
    createdAt: new Date(created),
    endedAt: ended === null ? null : new Date(ended),
    waiting: isEnded(run) ? [] : open.map(({ waiting: { node, prompt } }) => ({ node, prompt })),
    result: isEnded(run) || status === "waiting" ? resultOf(run) : null,
  };
}
