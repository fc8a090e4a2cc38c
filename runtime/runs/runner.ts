import type { Project } from "../config/folders.js";
import type { BegunRun, ExecutorParts } from "../durable/executor.js";
import type { Followed, Follower } from "../durable/following.js";
import type { StartRequest } from "../durable/starts.js";
import type { StoreError } from "../durable/store-error.js";
import { StoreTrouble } from "../durable/trouble.js";
import type {
  Answers,
  Logger,
  Result,
  RunEvent,
  RunOptions,
  Services,
  StateData,
  Suspended,
} from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { EventQueue } from "../graph/tell/stream.js";
import { openTelemetry } from "../otel/open-telemetry.js";
import { createServices } from "../services.js";
import { nameFrom } from "../workflows/find-sheets.js";
import type { GeneratedModules } from "../workflows/generated-modules.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { createRunStore } from "./files/store.js";
import { GivenError } from "./given-error.js";
import type { KeptRuns } from "./kept/kept-runs.js";
import { ProjectRuns } from "./kept/project-runs.js";
import { WaitingRuns } from "./kept/waiting-runs.js";
import { ProjectGraphs, type ProjectGraphsOptions } from "./project-graphs.js";
import { createRedactor, redactLog } from "./redact.js";
import { checkRemindWith } from "./reminders/remind-with.js";
import { answererIn, type RunSettings, type StartWords, type Wish } from "./request.js";
import { toWorkflowResult, type WorkflowResult } from "./result.js";
import { prepareResume, type Resumed, resumeStored, sheetOf, tellEnd } from "./resume.js";
import { RunOptionsMaker } from "./run-options.js";
import type { PlannedRun } from "./schedules/planned-runs.js";
import type { Schedules } from "./schedules/schedules.js";
import { openStream, type WorkflowEvent, type WorkflowStream } from "./stream.js";
import { type RunStore, type StoredRun, StoredRunError } from "./suspended.js";

export interface RunnerOptions extends ProjectGraphsOptions {
  readonly project: Project;
  readonly log?: Logger;
  readonly services?: Services;
  /** The generated modules that may be scheduled. */
  readonly modules?: GeneratedModules;
  /** Runs are kept without a configuration too. */
  readonly isServer?: boolean;
  /** Runs that others began call only hosts that `network.allow` lists. A server's are such runs. */
  readonly onlyListedHosts?: boolean;
  /** Of the store, when others of this process use it as well. */
  readonly trouble?: StoreTrouble;
  /** Told of each kept run that ends here, or comes to where it waits. */
  readonly told?: ExecutorParts["told"];
}

/** A run that is driven in memory. */
interface Began {
  readonly opened: OpenedGraph;
  readonly wish: Wish;
  readonly options: RunOptions;
}

/** What a debugger adds to the options of a run. */
export type StepLeading = Required<Pick<RunOptions, "pause" | "ask" | "on" | "signal" | "trace">>;

/** A run that was begun, and the executor that has it. */
export type KeptBegin = BegunRun & Pick<KeptRuns, "executor">;

/** Begins runs of a project's graphs and goes on with them, in memory or in the store. */
export class Runner {
  readonly graphs: ProjectGraphs;
  readonly waiting: WaitingRuns;
  /** True when every run is kept. */
  readonly keepsAll: boolean;
  readonly #options: RunnerOptions;
  readonly #log: Logger;
  readonly #runOptions: RunOptionsMaker;
  readonly #files: RunStore;
  readonly #kept: ProjectRuns;
  readonly #warned = new Set<string>();
  #schedules: Schedules | null = null;

  constructor(options: RunnerOptions) {
    const { project, env, agents: registered = {}, isServer = false, told } = options;
    const redact = createRedactor(env, project);
    const log = options.log === undefined ? undefined : redactLog(options.log, redact);
    const onlyListedHosts = isServer || options.onlyListedHosts === true;
    const telemetry = openTelemetry(project, env);
    const services = createServices({ project, env, redact, onlyListedHosts, telemetry }, options.services);
    const trouble = options.trouble ?? new StoreTrouble(log ?? console);
    this.#options = options;
    this.#log = log ?? console;
    this.#runOptions = new RunOptionsMaker({ project, redact, services, log, telemetry });
    this.#files = createRunStore(project.runs);
    this.#kept = new ProjectRuns({
      ...{ project, trouble },
      about: () => {
        const { maxSteps, timeoutMs, ...shared } = this.#runOptions.of({}, null);
        return { project, env, registered, options: shared, redact, log: this.#log, trouble, told };
      },
    });
    this.graphs = new ProjectGraphs(options);
    this.waiting = new WaitingRuns(this.#kept, this.#files);
    this.keepsAll = (project.file !== null || isServer) && project.keeping.keep === "all";
  }

  /** The runs that are kept, or null when there never was one. */
  kept(): Promise<KeptRuns | null> {
    return this.#kept.ifAny();
  }

  /** What keeps runs from being kept or read at present. */
  trouble(): Promise<StoreError | null> {
    return this.#kept.trouble();
  }

  /** Works on due runs, whoever has begun them, until it is closed. Without a store: as soon as there is one. */
  async work(): Promise<void> {
    const { project, env, agents = {} } = this.#options;
    checkRemindWith(project, env, Object.keys(agents));
    await this.#kept.work();
    await this.schedule();
  }

  /** Rejects when only a person can make the store usable. A full disk passes. */
  check(): Promise<void> {
    return this.#kept.check();
  }

  /** Begins scheduled runs until it is closed. Rejects when the configuration schedules what is not there. */
  async schedule(): Promise<void> {
    if (this.#schedules !== null) return;
    this.#schedules = await this.#createSchedules();
    await this.#schedules.begin();
  }

  /** Begins the scheduled runs that are due at a time. */
  async beginScheduledAt(now: number): Promise<void> {
    await (await this.#createSchedules()).fireAt(now);
  }

  async #createSchedules(): Promise<Schedules> {
    const { Schedules } = await import("./schedules/schedules.js");
    const { cwd, project, env, encoding, modules = null } = this.#options;
    return new Schedules({
      ...{ cwd, project, env, encoding, modules, log: this.#log },
      understand: (source) => this.graphs.understand(source),
      store: async () => (await this.#kept.open()).executor.store,
      start: (planned, key) => this.#startPlanned(planned, key),
    });
  }

  async #startPlanned({ name, graph, source, input }: PlannedRun, key: string): Promise<void> {
    const opened = await this.graphs.openAt(source, graph);
    const wish = { csvPath: source.shown, graphName: graph, given: input, settings: {} };
    await this.start(opened, wish, { key, userId: null, startedBy: `schedule:${name}` });
  }

  /** Lets go of the runs that are kept. */
  async close(graceMs?: number): Promise<void> {
    this.#kept.stopWork();
    await this.#schedules?.stop();
    await this.#kept.close(graceMs);
  }

  run(opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
    this.checkGiven(opened, wish);
    if (this.keepsAll) return this.#runKept(opened, wish);
    const options = this.#runOptions.ofStart(wish.settings, opened);
    const running = opened.graph.run(wish.given, options);
    // One `then` in place of several async functions: each promise costs time in small graphs.
    return running.then((result) => this.#finish({ opened, wish, options }, result));
  }

  stream(opened: OpenedGraph, wish: Wish): WorkflowStream {
    this.checkGiven(opened, wish);
    if (this.keepsAll) return this.#streamKept(opened, wish);
    const options = this.#runOptions.ofStart(wish.settings, opened);
    const events = opened.graph.stream(wish.given, options);
    const result = events.result.then((ended) => this.#finish({ opened, wish, options }, ended));
    // A reader of the events gets the error there, so this rejection needs no other handler.
    result.catch(() => {});
    return { result, [Symbol.asyncIterator]: () => eventsOf(events, result) };
  }

  /** A run that a debugger leads: a person takes time, and nothing of it is kept. */
  async runStepwise(opened: OpenedGraph, wish: Wish, leading: StepLeading): Promise<WorkflowResult> {
    const { timeoutMs, ...options } = this.#runOptions.of(wish.settings, null);
    return toWorkflowResult(await opened.graph.run(wish.given, { ...options, ...leading }), opened.placeOf);
  }

  /** Begins a run that is kept, and that whoever follows it works on. */
  async begin(opened: OpenedGraph, wish: Wish, words: StartWords): Promise<KeptBegin> {
    this.checkGiven(opened, wish);
    const { executor } = await this.#kept.open();
    return { executor, ...(await executor.begin(await this.#startOf(opened, wish, words))) };
  }

  /** Begins a run that workers go on with. */
  async start(opened: OpenedGraph, wish: Wish, words: StartWords): Promise<KeptBegin> {
    this.checkGiven(opened, wish);
    const { executor } = await this.#kept.open();
    const started = await executor.start(await this.#startOf(opened, wish, words));
    return { executor, ...started, follow: (follower) => executor.follow(started.run.runId, follower) };
  }

  async #runKept(opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
    const begun = await (await this.#kept.open()).executor.begin(await this.#startOf(opened, wish));
    return this.#told(await begun.follow(followerOf(wish.settings)), wish.settings);
  }

  async #startOf(opened: OpenedGraph, wish: Wish, words?: StartWords): Promise<StartRequest> {
    const kept = await this.#kept.open();
    const about = kept.about(this.graphs.sourceOf(wish).path, wish.settings);
    const deadline = this.#runOptions.deadlineOf(wish.settings);
    const { userId = null, carrier = null } = wish.settings;
    return kept.request(opened, wish.given, { ...about, userId, ...words, deadline, carrier });
  }

  #streamKept(opened: OpenedGraph, wish: Wish): WorkflowStream {
    const events = new EventQueue<WorkflowEvent>();
    const settings = { ...wish.settings, on: both(wish.settings.on, (event) => events.push(event)) };
    const result = this.#runKept(opened, { ...wish, settings });
    result.then(
      () => events.close(),
      (error: unknown) => events.fail(error),
    );
    return { result, [Symbol.asyncIterator]: () => events };
  }

  async #told(followed: Followed, settings: RunSettings): Promise<WorkflowResult> {
    // Only the command line lets go of a run, and it does not come here.
    if (followed.kind === "let_go") throw new Error(`the run ${followed.runId} was let go of`);
    await followed.told();
    return this.#announce(settings, followed.result);
  }

  /** A suspended run is stored before its result is delivered. */
  #finish(began: Began, result: Result<StateData>): WorkflowResult | Promise<WorkflowResult> {
    const { opened, wish } = began;
    const told = (): WorkflowResult =>
      this.#announce(wish.settings, toWorkflowResult(result, opened.placeOf));
    return result.status === "suspended" ? this.#keep(began, result).then(told) : told();
  }

  async #keep({ opened, wish, options }: Began, result: Suspended<StateData>): Promise<void> {
    const { keepWaiting } = await import("./kept/keep-waiting.js");
    const { path, encoding } = this.graphs.sourceOf(wish);
    const { maxSteps = null, timeoutMs = null, userId = null, startedBy = null } = wish.settings;
    const about = { path, encoding, limits: { maxSteps, timeoutMs }, userId, startedBy };
    const waiting = { opened, result, ...about, deadline: options.deadline ?? null };
    await keepWaiting(waiting, this.#options.project, () => this.#kept.open());
    this.waiting.added();
  }

  #announce({ on }: RunSettings, result: WorkflowResult): WorkflowResult {
    try {
      on?.({ type: "run_end", runId: result.runId, result });
    } catch (thrown) {
      this.#log.error("a listener for run_end threw", thrown);
    }
    return result;
  }

  async resume(runId: string, answers: Answers, settings: RunSettings): Promise<WorkflowResult> {
    const kept = await this.#kept.ifAny();
    if (kept !== null && (await kept.executor.get(runId)) !== null)
      return this.#resumeKept(kept, runId, answers, settings);
    const stored = await this.#files.find(runId);
    const { result, told } = (await tellEnd(stored)) ?? (await this.#goOn(stored, answers, settings));
    await told();
    return this.#announce(settings, result);
  }

  async #resumeKept(
    { executor }: KeptRuns,
    runId: string,
    answers: Answers,
    settings: RunSettings,
  ): Promise<WorkflowResult> {
    await executor.answer(runId, answers, answererIn(settings)).catch((error: unknown) => {
      throw goneOrTaken(runId, error);
    });
    return this.#told(await executor.follow(runId, followerOf(settings)), settings);
  }

  /** Rejects when the run cannot be resumed. */
  streamResume(runId: string, answers: Answers, settings: RunSettings): Promise<WorkflowStream> {
    return openStream((on) => this.resume(runId, answers, { ...settings, on }));
  }

  async #goOn(stored: StoredRun, answers: Answers, settings: RunSettings): Promise<Resumed> {
    const { cwd, project } = this.#options;
    const { record } = stored;
    const path = sheetOf(record, project.root);
    const source = { path, shown: nameFrom(cwd, path), encoding: record.encoding };
    const given = { answers, answerer: answererIn(settings) };
    const opened = await prepareResume(record, given, () => this.graphs.openAt(source, record.graph));
    return resumeStored(stored, {
      ...given,
      ...{ opened, options: this.#runOptions.of(settings, record.limits, opened.placeOf) },
    });
  }

  /** Throws for values that the graph cannot begin with. Warns of unknown fields once. */
  checkGiven(opened: OpenedGraph, { given }: Wish): void {
    const { problems, unknown } = opened.checkGiven(given);
    const [first, ...others] = problems;
    if (first !== undefined) throw new GivenError([first, ...others]);
    for (const { message, help } of unknown) {
      if (this.#warned.has(message)) continue;
      this.#warned.add(message);
      this.#log.warn(help === null ? message : `${message}: ${help}`);
    }
  }
}

/** The words that callers of `resume` know. */
function goneOrTaken(runId: string, error: unknown): unknown {
  if (!(error instanceof FlowsheetError)) return error;
  if (error.code === "already_answered") return new StoredRunError("run_taken", runId, error.message);
  return error.code === "already_ended" ? new StoredRunError("run_not_found", runId, error.message) : error;
}

const followerOf = ({ signal, on, trace }: RunSettings): Follower => ({
  ...{ signal, trace },
  // The end is announced with the result.
  on: (event) => event.type !== "run_end" && on?.(event),
});

const both =
  (on: RunSettings["on"], also: (event: WorkflowEvent) => void) =>
  (event: WorkflowEvent): void => {
    also(event);
    on?.(event);
  };

async function* eventsOf(
  events: AsyncIterable<RunEvent>,
  result: Promise<WorkflowResult>,
): AsyncGenerator<WorkflowEvent, undefined> {
  for await (const event of events) {
    // After `run_end` a caller may resume at once, so the run is stored first.
    yield event.type === "run_end" ? { type: "run_end", runId: event.runId, result: await result } : event;
  }
  await result;
}
