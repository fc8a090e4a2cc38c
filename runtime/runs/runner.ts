import { resolve } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { createReport, type Report } from "../../compiler/diagnostics/report.js";
import type { Project } from "../config/folders.js";
import type {
  Answers,
  AnyAgent,
  Logger,
  Result,
  RunEvent,
  RunOptions,
  Services,
  StateData,
} from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { oncePerKey } from "../lazy.js";
import { createServices } from "../services.js";
import { findGraph, projectSheets } from "../workflows/find-graph.js";
import { nameFrom } from "../workflows/find-sheets.js";
import { createKeptSheets, type KeptSheets } from "../workflows/kept-sheets.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { readSheetFile, type SheetSource, understandContent } from "../workflows/read-sheet.js";
import { createWorlds } from "../workflows/world.js";
import { GivenError } from "./given-error.js";
import { createRecord, type RunLimits } from "./record.js";
import { createRedactor, redactLog } from "./redact.js";
import type { RunSettings, Wish } from "./request.js";
import { toWorkflowResult, type WorkflowResult } from "./result.js";
import { prepareResume, type Resumed, resumeStored, sheetFrom, sheetOf, tellEnd } from "./resume.js";
import { createRunStore } from "./store.js";
import { openStream, type WorkflowEvent, type WorkflowStream } from "./stream.js";
import type { IndexedRun, RunStore, StoredRun, SuspendedRun } from "./suspended.js";

export interface RunnerOptions {
  readonly cwd: string;
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly agents?: { readonly [name: string]: AnyAgent };
  readonly log?: Logger;
  readonly services?: Services;
  /** Graphs that are known without a sheet, by the path of the file they are from. */
  readonly graphAt?: (path: string) => OpenedGraph | undefined;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #log: Logger | undefined;
  readonly #services: Services;
  readonly #sheets: KeptSheets;
  readonly #store: RunStore;
  readonly #redact: (message: string) => string;
  /** Where sheets are, by their paths as they are given. */
  readonly #sourceAt: (csvPath: string) => SheetSource;
  readonly #warned = new Set<string>();

  constructor(options: RunnerOptions) {
    const { cwd, project, env, encoding, agents: registered = {}, log } = options;
    const redact = createRedactor(env, project.configuration);
    this.#options = options;
    this.#redact = redact;
    this.#log = log === undefined ? log : redactLog(log, redact);
    this.#services = createServices({ project, env, redact }, options.services);
    this.#sheets = createKeptSheets({ folders: project, env, registered });
    this.#store = createRunStore(project.runs);
    this.#sourceAt = oncePerKey((shown) => ({ path: resolve(cwd, shown), shown, encoding }));
  }

  /** The graph of a wish when it is known and has not changed; undefined when it has to be opened. */
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

  /** The sheet of a wish; without a path, the one of the project that has the graph. */
  #sourceOf({ csvPath, graphName: graph }: Wish): SheetSource {
    if (csvPath !== null) return this.#sourceAt(csvPath);
    const { cwd, project, encoding } = this.#options;
    const { sheets } = projectSheets(cwd, project);
    const { path, shown } = findGraph({ sheets, graph, folders: project, encoding });
    return { path, shown, encoding };
  }

  /** Throws when the run cannot begin. */
  run(opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
    this.#checkGiven(opened, wish);
    const running = opened.graph.run(wish.given, this.#runOptions(wish.settings, null));
    // One promise instead of one for each function on the way: a run of a small graph takes no longer than a few.
    return running.then((result) => this.#finish(opened, wish, result));
  }

  stream(opened: OpenedGraph, wish: Wish): WorkflowStream {
    this.#checkGiven(opened, wish);
    const events = opened.graph.stream(wish.given, this.#runOptions(wish.settings, null));
    const result = events.result.then((ended) => this.#finish(opened, wish, ended));
    // Whoever reads the events is told there, too.
    result.catch(() => {});
    return { result, [Symbol.asyncIterator]: () => eventsOf(events, result) };
  }

  /** Stores a run that is suspended, and gives its result with places. */
  #finish(
    opened: OpenedGraph,
    wish: Wish,
    result: Result<StateData>,
  ): WorkflowResult | Promise<WorkflowResult> {
    const told = (): WorkflowResult =>
      this.#announce(wish.settings, toWorkflowResult(result, opened.placeOf));
    if (result.status !== "suspended") return told();
    const { path, encoding } = this.#sourceOf(wish);
    const { maxSteps = null, timeoutMs = null } = wish.settings;
    const sheet = sheetFrom(this.#options.project.root, path);
    const origin = { sheet, encoding, limits: { maxSteps, timeoutMs } };
    return this.#store.add(createRecord(origin, result.checkpoint, result.waiting)).then(told);
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
    const stored = await this.#store.find(runId);
    const { result, told } = (await tellEnd(stored)) ?? (await this.#goOn(stored, answers, settings));
    await told();
    return this.#announce(settings, result);
  }

  /** The same with its events as they happen; rejects when the run cannot go on. */
  streamResume(runId: string, answers: Answers, settings: RunSettings): Promise<WorkflowStream> {
    return openStream((on) => this.resume(runId, answers, { ...settings, on }));
  }

  async #goOn(stored: StoredRun, answers: Answers, settings: RunSettings): Promise<Resumed> {
    const { cwd, project } = this.#options;
    const { record } = stored;
    const path = sheetOf(record, project.root);
    const source = { path, shown: nameFrom(cwd, path), encoding: record.encoding };
    const opened = await prepareResume(record, answers, () => this.#openAt(source, record.graph));
    const options = this.#runOptions(settings, record.limits);
    return resumeStored(stored, { opened, answers, options });
  }

  async runs(): Promise<readonly SuspendedRun[]> {
    return (await this.#store.list()).runs;
  }

  /** In which order the suspended runs wait. */
  runIndex(): Promise<readonly IndexedRun[]> {
    return this.#store.index();
  }

  /** One suspended run; throws when there is none. */
  async find(runId: string): Promise<SuspendedRun> {
    return (await this.#store.find(runId)).about;
  }

  /** How many runs are suspended, as far as is known without waiting. */
  waiting(): number {
    return this.#store.count();
  }

  /** Refuses what no run can begin with; fields that nobody knows are warned of once. */
  #checkGiven(opened: OpenedGraph, { given }: Wish): void {
    const { problems, unknown } = opened.checkGiven(given);
    const [first, ...others] = problems;
    if (first !== undefined) throw new GivenError([first, ...others]);
    for (const { message, help } of unknown) {
      if (this.#warned.has(message)) continue;
      this.#warned.add(message);
      (this.#log ?? console).warn(help === null ? message : `${message}: ${help}`);
    }
  }

  /** What the driver is told: the request goes before what the run was started with, and that before the configuration. */
  #runOptions({ signal, on, trace, ...asked }: RunSettings, limits: RunLimits | null): RunOptions {
    const { execution } = this.#options.project;
    const maxSteps = asked.maxSteps ?? limits?.maxSteps ?? execution.maxSteps;
    const timeoutMs = asked.timeoutMs ?? limits?.timeoutMs ?? execution.timeoutMs;
    const options: { -readonly [K in keyof RunOptions]: RunOptions[K] } = {
      redact: this.#redact,
      services: this.#services,
    };
    if (maxSteps !== null) options.maxSteps = maxSteps;
    if (timeoutMs !== null) options.timeoutMs = timeoutMs;
    if (signal !== undefined) options.signal = signal;
    if (this.#log !== undefined) options.log = this.#log;
    if (trace === true) options.trace = true;
    if (on !== undefined)
      options.on = (event) => {
        // The end is told when a suspended run is stored.
        if (event.type !== "run_end") on(event);
      };
    return options;
  }

  /** All problems of a sheet, which is not run. */
  validate(csvPath: string): Report {
    const { cwd, project, env, encoding, agents = {} } = this.#options;
    const sheet = { path: resolve(cwd, csvPath), shown: csvPath, named: true };
    const about = { folders: project, env, encoding, sheets: [sheet], registered: Object.keys(agents) };
    const world = createWorlds({ ...about, unknownAgent: "warning" })(sheet);
    const understanding = understandContent(readSheetFile(sheet), { shown: csvPath, encoding, world });
    const { diagnostics, graphs, sheet: read } = understanding;
    return createReport(diagnostics, new Map([[csvPath, read?.text ?? ""]]), graphs);
  }

  /** All that is known of a sheet as it is now; its graphs need not be sound. */
  understand(source: SheetSource): Understanding {
    return this.#sheets.understand(source);
  }
}

async function* eventsOf(
  events: AsyncIterable<RunEvent>,
  result: Promise<WorkflowResult>,
): AsyncGenerator<WorkflowEvent, undefined> {
  for await (const event of events) {
    // A suspended run can be resumed as soon as its end is told: it is stored by then.
    yield event.type === "run_end" ? { type: "run_end", runId: event.runId, result: await result } : event;
  }
  await result;
}
