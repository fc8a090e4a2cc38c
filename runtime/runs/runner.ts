import { resolve } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { createReport, type Report } from "../../compiler/diagnostics/report.js";
import type { Project, RunLimits } from "../config/folders.js";
import type { BegunRun, ExecutorParts } from "../durable/executor.js";
import type { Followed, Follower } from "../durable/following.js";
import type { StartRequest } from "../durable/starts.js";
import type { StoreError } from "../durable/store-error.js";
import { StoreTrouble } from "../durable/trouble.js";
import type {
  Answers,
  AnyAgent,
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
import type { Environment } from "../host.js";
import { oncePerKey } from "../lazy.js";
import type { Telemetry } from "../otel/contract.js";
import { openTelemetry } from "../otel/open-telemetry.js";
import { createServices } from "../services.js";
import { findGraph, projectSheets } from "../workflows/find-graph.js";
import { nameFrom } from "../workflows/find-sheets.js";
import type { GeneratedModules } from "../workflows/generated-modules.js";
import { createKeptSheets, type KeptSheets } from "../workflows/kept-sheets.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { readSheetFile, type SheetSource, understandContent } from "../workflows/read-sheet.js";
import { createWorlds } from "../workflows/world.js";
import { createRunStore } from "./files/store.js";
import { GivenError } from "./given-error.js";
import type { KeptRuns } from "./kept-runs.js";
import { createRedactor, redactLog } from "./redact.js";
import { checkRemindWith } from "./reminders/remind-with.js";
import { answererIn, type RunSettings, type StartWords, type Wish } from "./request.js";
import { toWorkflowResult, type WorkflowResult } from "./result.js";
import { prepareResume, type Resumed, resumeStored, sheetOf, tellEnd } from "./resume.js";
import type { PlannedRun } from "./schedules/planned-runs.js";
import type { Schedules } from "./schedules/schedules.js";
import { hasStore, isOnServer } from "./store-place.js";
import { openStream, type WorkflowEvent, type WorkflowStream } from "./stream.js";
import {
  type IndexedRun,
  type RunStore,
  type StoredRun,
  StoredRunError,
  type SuspendedRun,
} from "./suspended.js";

export interface RunnerOptions {
  readonly cwd: string;
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly agents?: { readonly [name: string]: AnyAgent };
  readonly log?: Logger;
  readonly services?: Services;
  /** Registered graphs, by the path of the file they come from. */
  readonly graphAt?: (path: string) => OpenedGraph | undefined;
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

/** Runs that wait are counted so often at most. */
const COUNTED_MS = 100;
/** The pause after a store could not be opened. */
const AGAIN_MS = 1_000;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #log: Logger | undefined;
  readonly #services: Services;
  readonly #telemetry: Telemetry | null;
  readonly #sheets: KeptSheets;
  readonly #store: RunStore;
  readonly #trouble: StoreTrouble;
  readonly #redact: (message: string) => string;
  /** By the path as the caller gave it. */
  readonly #sourceAt: (csvPath: string) => SheetSource;
  readonly #warned = new Set<string>();
  /** True when the project keeps every run. */
  readonly #keepsAll: boolean;
  #opening: Promise<KeptRuns> | null = null;
  #works = false;
  #working: KeptRuns | null = null;
  #schedules: Schedules | null = null;
  #again: NodeJS.Timeout | undefined;
  #waiting = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RunnerOptions) {
    const { cwd, project, env, encoding, agents: registered = {}, log } = options;
    const redact = createRedactor(env, project.configuration);
    this.#options = options;
    this.#redact = redact;
    this.#log = log === undefined ? log : redactLog(log, redact);
    const onlyListedHosts = options.isServer === true || options.onlyListedHosts === true;
    const telemetry = openTelemetry(project, env);
    this.#telemetry = telemetry;
    this.#services = createServices({ project, env, redact, onlyListedHosts, telemetry }, options.services);
    this.#sheets = createKeptSheets({ folders: project, env, registered });
    this.#store = createRunStore(project.runs);
    this.#trouble = options.trouble ?? new StoreTrouble(this.#log ?? console);
    this.#keepsAll = (project.file !== null || options.isServer === true) && project.keeping.keep === "all";
    this.#sourceAt = oncePerKey((shown) => ({ path: resolve(cwd, shown), shown, encoding }));
  }

  #kept(): Promise<KeptRuns> {
    return this.#open().catch((error: unknown) => {
      this.#trouble.met(error);
      throw error;
    });
  }

  /** Loaded with the first run that is kept. After a failure, such as a full disk, it is tried again. */
  #open(): Promise<KeptRuns> {
    this.#opening ??= this.#openKept().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** What keeps runs from being kept or read at present. */
  trouble(): Promise<StoreError | null> {
    return this.#trouble.look(async () => {
      await (await this.#kept()).executor.store.probe();
    }, isOnServer(this.#options.project));
  }

  async #openKept(): Promise<KeptRuns> {
    const { project, env, agents: registered = {}, told } = this.#options;
    const { KeptRuns } = await import("./kept-runs.js");
    const options = this.#runOptions({}, null);
    const { maxSteps, timeoutMs, ...shared } = options;
    const [redact, log] = [this.#redact, this.#log ?? console];
    const trouble = this.#trouble;
    const about = { project, env, registered, options: shared, redact, log, trouble, told };
    const kept = await KeptRuns.open(about);
    if (this.#works) this.#workOn(kept);
    return kept;
  }

  #workOn(kept: KeptRuns): void {
    if (this.#working !== kept) kept.work();
    this.#working = kept;
  }

  #hasStore(): boolean {
    return this.#opening !== null || hasStore(this.#options.project);
  }

  /** Null when the project has never kept a run. */
  async #keptIfAny(): Promise<KeptRuns | null> {
    return this.#hasStore() ? this.#kept() : null;
  }

  /** Works on due runs, whoever has begun them, until it is closed. Without a store: as soon as there is one. */
  async work(): Promise<void> {
    const { project, agents = {} } = this.#options;
    checkRemindWith(project, Object.keys(agents));
    this.#works = true;
    await this.check();
    await this.schedule();
  }

  /** Rejects when only a person can make the store usable. A full disk passes. */
  async check(): Promise<void> {
    if (!this.#hasStore()) return;
    try {
      const kept = await this.#open();
      await kept.checkStore();
      // A server counts what waits as soon as it is made, which may have opened the store.
      if (this.#works) this.#workOn(kept);
    } catch (error) {
      if (LASTING.includes((error as { readonly code?: string }).code ?? "")) throw error;
      this.#trouble.met(error);
      this.#openLater();
    }
  }

  /** Nobody may ask a server whose database is away, but its runs are due when the database is back. */
  #openLater(): void {
    if (!this.#works) return;
    this.#again = setTimeout(() => void this.#kept().catch(() => this.#openLater()), AGAIN_MS);
    this.#again.unref();
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
      ...{ cwd, project, env, encoding, modules, log: this.#log ?? console },
      understand: (source) => this.understand(source),
      store: async () => (await this.#kept()).executor.store,
      start: (planned, key) => this.#startPlanned(planned, key),
    });
  }

  async #startPlanned({ name, graph, source, input }: PlannedRun, key: string): Promise<void> {
    const opened = await this.#openAt(source, graph);
    const wish = { csvPath: source.shown, graphName: graph, given: input, settings: {} };
    await this.start(opened, wish, { key, userId: null, startedBy: `schedule:${name}` });
  }

  /** Lets go of the runs that are kept. */
  async close(graceMs?: number): Promise<void> {
    this.#works = false;
    clearTimeout(this.#again);
    await this.#schedules?.stop();
    await (await this.#opening?.catch(() => null))?.close(graceMs);
  }

  /** Undefined when the graph is not cached, or its files changed. */
  known({ csvPath, graphName }: Wish): OpenedGraph | undefined {
    if (csvPath === null) return undefined;
    const source = this.#sourceAt(csvPath);
    return this.#options.graphAt?.(source.path) ?? this.#sheets.known(source, graphName);
  }

  async open(wish: Wish): Promise<OpenedGraph> {
    return this.#openAt(this.#sourceOf(wish), wish.graphName);
  }

  async #openAt(source: SheetSource, graph: string | null): Promise<OpenedGraph> {
    return this.#options.graphAt?.(source.path) ?? this.#sheets.open(source, graph);
  }

  /** Without a path, the project's sheet with that graph. */
  #sourceOf({ csvPath, graphName: graph }: Wish): SheetSource {
    if (csvPath !== null) return this.#sourceAt(csvPath);
    const { cwd, project, encoding } = this.#options;
    const { sheets } = projectSheets(cwd, project);
    const { path, shown } = findGraph({ sheets, graph, folders: project, encoding });
    return { path, shown, encoding };
  }

  run(opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
    this.checkGiven(opened, wish);
    if (this.#keepsAll) return this.#runKept(opened, wish);
    const options = this.#optionsOf(wish, opened);
    const running = opened.graph.run(wish.given, options);
    // One `then` in place of several async functions: each promise costs time in small graphs.
    return running.then((result) => this.#finish({ opened, wish, options }, result));
  }

  stream(opened: OpenedGraph, wish: Wish): WorkflowStream {
    this.checkGiven(opened, wish);
    if (this.#keepsAll) return this.#streamKept(opened, wish);
    const options = this.#optionsOf(wish, opened);
    const events = opened.graph.stream(wish.given, options);
    const result = events.result.then((ended) => this.#finish({ opened, wish, options }, ended));
    // A reader of the events gets the error there, so this rejection needs no other handler.
    result.catch(() => {});
    return { result, [Symbol.asyncIterator]: () => eventsOf(events, result) };
  }

  /** A run that a debugger leads: a person takes time, and nothing of it is kept. */
  async runStepwise(opened: OpenedGraph, wish: Wish, leading: StepLeading): Promise<WorkflowResult> {
    const { timeoutMs, ...options } = this.#runOptions(wish.settings, null);
    return toWorkflowResult(await opened.graph.run(wish.given, { ...options, ...leading }), opened.placeOf);
  }

  /** True when every run is kept. */
  get keepsAll(): boolean {
    return this.#keepsAll;
  }

  /** The runs that are kept, or null when there never was one. */
  async kept(): Promise<KeptRuns | null> {
    return this.#keptIfAny();
  }

  /** Begins a run that is kept, and that whoever follows it works on. */
  async begin(opened: OpenedGraph, wish: Wish, words: StartWords): Promise<KeptBegin> {
    this.checkGiven(opened, wish);
    const { executor } = await this.#kept();
    return { executor, ...(await executor.begin(await this.#startOf(opened, wish, words))) };
  }

  /** Begins a run that workers go on with. */
  async start(opened: OpenedGraph, wish: Wish, words: StartWords): Promise<KeptBegin> {
    this.checkGiven(opened, wish);
    const { executor } = await this.#kept();
    const started = await executor.start(await this.#startOf(opened, wish, words));
    return { executor, ...started, follow: (follower) => executor.follow(started.run.runId, follower) };
  }

  async #runKept(opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
    const begun = await (await this.#kept()).executor.begin(await this.#startOf(opened, wish));
    return this.#told(await begun.follow(followerOf(wish.settings)), wish.settings);
  }

  async #startOf(opened: OpenedGraph, wish: Wish, words?: StartWords): Promise<StartRequest> {
    const kept = await this.#kept();
    const about = kept.about(this.#sourceOf(wish).path, wish.settings);
    const deadline = this.#deadlineOf(wish.settings);
    const { userId = null, carrier = null } = wish.settings;
    return kept.request(opened, wish.given, { ...about, userId, ...words, deadline, carrier });
  }

  /** The request has priority over the configuration. */
  #deadlineOf({ deadlineMs }: RunSettings): number | null {
    const ms = deadlineMs ?? this.#options.project.keeping.deadlineMs;
    return ms === null ? null : Date.now() + ms;
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
    const { keepWaiting } = await import("./keep-waiting.js");
    const { path, encoding } = this.#sourceOf(wish);
    const { maxSteps = null, timeoutMs = null, userId = null, startedBy = null } = wish.settings;
    const about = { path, encoding, limits: { maxSteps, timeoutMs }, userId, startedBy };
    const waiting = { opened, result, ...about, deadline: options.deadline ?? null };
    await keepWaiting(waiting, this.#options.project, () => this.#kept());
    this.#waiting += 1;
  }

  #announce({ on }: RunSettings, result: WorkflowResult): WorkflowResult {
    try {
      on?.({ type: "run_end", runId: result.runId, result });
    } catch (thrown) {
      (this.#log ?? console).error("a listener for run_end threw", thrown);
    }
    return result;
  }

  async resume(runId: string, answers: Answers, settings: RunSettings): Promise<WorkflowResult> {
    const kept = await this.#keptIfAny();
    if (kept !== null && (await kept.executor.get(runId)) !== null)
      return this.#resumeKept(kept, runId, answers, settings);
    const stored = await this.#store.find(runId);
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
    const opened = await prepareResume(record, given, () => this.#openAt(source, record.graph));
    return resumeStored(stored, {
      ...given,
      ...{ opened, options: this.#runOptions(settings, record.limits, opened.placeOf) },
    });
  }

  async runs(): Promise<readonly SuspendedRun[]> {
    const kept = await this.keptRuns();
    return [...kept, ...(await this.#store.list()).runs].sort((a, b) =>
      a.suspendedAt < b.suspendedAt ? -1 : 1,
    );
  }

  /** Those that wait in the store. */
  async keptRuns(): Promise<readonly SuspendedRun[]> {
    return (await (await this.#keptIfAny())?.waiting()) ?? [];
  }

  /** Null when the run is not in the store, or has ended. */
  async findKept(runId: string): Promise<SuspendedRun | null> {
    return (await (await this.#keptIfAny())?.find(runId)) ?? null;
  }

  async runIndex(): Promise<readonly IndexedRun[]> {
    const kept = (await (await this.#keptIfAny())?.index()) ?? [];
    return [...kept, ...(await this.#store.index())];
  }

  /** Runs in files from before there was a store. */
  fileIndex(): Promise<readonly IndexedRun[]> {
    return this.#store.index();
  }

  async findFile(runId: string): Promise<SuspendedRun> {
    return (await this.#store.find(runId)).about;
  }

  async find(runId: string): Promise<SuspendedRun> {
    const kept = await this.findKept(runId);
    return kept ?? (await this.#store.find(runId)).about;
  }

  /** A cached number with what this process has added: nobody waits for the disk. */
  waiting(): number {
    const now = performance.now();
    if (now - this.#countedAt >= COUNTED_MS) {
      this.#countedAt = now;
      this.countWaiting().catch(() => {});
    }
    return this.#waiting + this.#store.count();
  }

  /** How many runs wait now. What cannot be read counts as none: whoever needs it is told. */
  async countWaiting(): Promise<number> {
    const kept = await this.#keptIfAny();
    this.#waiting = (await kept?.count()) ?? 0;
    return this.#waiting + this.#store.count();
  }

  /** Throws for values that the graph cannot begin with. Warns of unknown fields once. */
  checkGiven(opened: OpenedGraph, { given }: Wish): void {
    const { problems, unknown } = opened.checkGiven(given);
    const [first, ...others] = problems;
    if (first !== undefined) throw new GivenError([first, ...others]);
    for (const { message, help } of unknown) {
      if (this.#warned.has(message)) continue;
      this.#warned.add(message);
      (this.#log ?? console).warn(help === null ? message : `${message}: ${help}`);
    }
  }

  #optionsOf({ settings }: Wish, { placeOf }: OpenedGraph): RunOptions {
    const options = this.#runOptions(settings, null, placeOf);
    const deadline = this.#deadlineOf(settings);
    return deadline === null ? options : { ...options, deadline };
  }

  /** The request has priority, then the limits of the first start, then the configuration. */
  #runOptions(
    { signal, on, trace, carrier, ...asked }: RunSettings,
    limits: RunLimits | null,
    placeOf?: OpenedGraph["placeOf"],
  ): RunOptions {
    const { execution, timezone } = this.#options.project;
    const maxSteps = asked.maxSteps ?? limits?.maxSteps ?? execution.maxSteps;
    const timeoutMs = asked.timeoutMs ?? limits?.timeoutMs ?? execution.timeoutMs;
    const options: { -readonly [K in keyof RunOptions]: RunOptions[K] } = {
      redact: this.#redact,
      services: this.#services,
    };
    if (asked.userId !== undefined) options.startedBy = options.answeredBy = asked.userId;
    if (timezone !== null) options.timezone = timezone;
    if (maxSteps !== null) options.maxSteps = maxSteps;
    if (timeoutMs !== null) options.timeoutMs = timeoutMs;
    if (signal !== undefined) options.signal = signal;
    if (this.#log !== undefined) options.log = this.#log;
    if (trace === true) options.trace = true;
    if (this.#telemetry !== null) {
      const isPlain = carrier === undefined && placeOf === undefined;
      options.observer = isPlain ? this.#telemetry : this.#telemetry.from({ carrier, placeOf });
    }
    if (on !== undefined)
      options.on = (event) => {
        // `run_end` is sent after a suspended run was stored.
        if (event.type !== "run_end") on(event);
      };
    return options;
  }

  validate(csvPath: string): Report {
    const { cwd, project, env, encoding, agents = {} } = this.#options;
    const sheet = { path: resolve(cwd, csvPath), shown: csvPath, named: true };
    const about = { folders: project, env, encoding, sheets: [sheet], registered: Object.keys(agents) };
    const world = createWorlds({ ...about, unknownAgent: "warning" })(sheet);
    const understanding = understandContent(readSheetFile(sheet), { shown: csvPath, encoding, world });
    const { diagnostics, graphs, sheet: read } = understanding;
    return createReport(diagnostics, new Map([[csvPath, read?.text ?? ""]]), graphs);
  }

  understand(source: SheetSource): Understanding {
    return this.#sheets.understand(source);
  }
}

/** What does not pass while a server waits for it. */
const LASTING: readonly string[] = ["store_damaged", "store_newer", "store_unusable"];

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
