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
import { createServices } from "../services.js";
import { findGraph, projectSheets } from "../workflows/find-graph.js";
import { nameFrom } from "../workflows/find-sheets.js";
import { createKeptSheets, type KeptSheets } from "../workflows/kept-sheets.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { readSheetFile, type SheetSource, understandContent } from "../workflows/read-sheet.js";
import { createWorlds } from "../workflows/world.js";
import type { WorkflowEvent, WorkflowStream } from "./event.js";
import { GivenError } from "./given-error.js";
import { openStream } from "./open-stream.js";
import { createRecord, type RunLimits, type RunOrigin } from "./record.js";
import { createRedactor, redactLog } from "./redact.js";
import type { RunSettings, Wish } from "./request.js";
import { toWorkflowResult, type WorkflowResult } from "./result.js";
import { prepareResume, type Resumed, resumeStored, sheetFrom, sheetOf, tellEnd } from "./resume.js";
import type { IndexedRun } from "./run-index.js";
import { createRunStore, type RunStore } from "./store.js";
import { type SuspendedRun, toSuspendedRun } from "./suspended.js";

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

/** Runs the graphs of a project. */
export interface Runner {
  /** The graph of a wish when it is known and has not changed; undefined when it has to be opened. */
  readonly known: (wish: Wish) => OpenedGraph | undefined;
  readonly open: (wish: Wish) => Promise<OpenedGraph>;
  /** Throws when the run cannot begin. */
  readonly run: (opened: OpenedGraph, wish: Wish) => Promise<WorkflowResult>;
  readonly stream: (opened: OpenedGraph, wish: Wish) => WorkflowStream;
  readonly resume: (runId: string, answers: Answers, settings: RunSettings) => Promise<WorkflowResult>;
  /** The same with its events as they happen; rejects when the run cannot go on. */
  readonly streamResume: (runId: string, answers: Answers, settings: RunSettings) => Promise<WorkflowStream>;
  readonly runs: () => Promise<readonly SuspendedRun[]>;
  /** In which order the suspended runs wait. */
  readonly runIndex: () => Promise<readonly IndexedRun[]>;
  /** One suspended run; throws when there is none. */
  readonly find: (runId: string) => Promise<SuspendedRun>;
  /** How many runs are suspended, as far as is known without waiting. */
  readonly waiting: () => number;
  readonly validate: (csvPath: string) => Report;
  /** All that is known of a sheet as it is now; its graphs need not be sound. */
  readonly understand: (source: SheetSource) => Understanding;
}

interface Bench extends RunnerOptions {
  readonly sheets: KeptSheets;
  readonly store: RunStore;
  readonly redact: (message: string) => string;
  /** Where sheets are, by their paths as they are given. */
  readonly sources: Map<string, SheetSource>;
  /** What has been warned of. */
  readonly warned: Set<string>;
}

/** Makes what runs the graphs of a project. */
export function createRunner(options: RunnerOptions): Runner {
  const { project, env, agents: registered = {} } = options;
  const redact = createRedactor(env, project.configuration);
  const bench: Bench = {
    ...options,
    ...(options.log === undefined ? {} : { log: redactLog(options.log, redact) }),
    services: createServices({ project, env, redact }, options.services),
    sheets: createKeptSheets({ folders: project, env, registered }),
    store: createRunStore(project.runs),
    redact,
    sources: new Map(),
    warned: new Set(),
  };
  return {
    known: ({ csvPath, graphName }) => {
      if (csvPath === null) return undefined;
      const source = sourceAt(bench, csvPath);
      return bench.graphAt?.(source.path) ?? bench.sheets.known(source, graphName);
    },
    open: (wish) => openAt(bench, sourceOf(bench, wish), wish.graphName),
    run: (opened, wish) => run(bench, opened, wish),
    stream: (opened, wish) => stream(bench, opened, wish),
    resume: (runId, answers, settings) => resume(bench, runId, { answers, settings }),
    streamResume: (runId, answers, settings) =>
      openStream((on) => resume(bench, runId, { answers, settings: { ...settings, on } })),
    runs: async () => (await bench.store.list()).runs.map(toSuspendedRun),
    runIndex: bench.store.index,
    find: async (runId) => toSuspendedRun(await bench.store.find(runId)),
    waiting: bench.store.count,
    validate: (csvPath) => validate(bench, csvPath),
    understand: bench.sheets.understand,
  };
}

async function openAt(
  { graphAt, sheets }: Bench,
  source: SheetSource,
  graph: string | null,
): Promise<OpenedGraph> {
  return graphAt?.(source.path) ?? sheets.open(source, graph);
}

/** The sheet of a wish; without a path, the one of the project that has the graph. */
function sourceOf(bench: Bench, { csvPath, graphName }: Wish): SheetSource {
  if (csvPath !== null) return sourceAt(bench, csvPath);
  const { cwd, project, encoding } = bench;
  const { sheets } = projectSheets(cwd, project);
  const { path, shown } = findGraph({ sheets, graph: graphName, folders: project, encoding });
  return { path, shown, encoding };
}

function sourceAt({ sources, cwd, encoding }: Bench, csvPath: string): SheetSource {
  const known = sources.get(csvPath);
  if (known !== undefined) return known;
  const source = { path: resolve(cwd, csvPath), shown: csvPath, encoding };
  sources.set(csvPath, source);
  return source;
}

/** Throws when the run cannot begin. */
function run(bench: Bench, opened: OpenedGraph, wish: Wish): Promise<WorkflowResult> {
  checkGiven(bench, opened, wish);
  const running = opened.graph.run(wish.given, optionsOf(bench, wish.settings, null));
  // One promise instead of one for each function on the way: a run of a small graph takes no longer than a few.
  return running.then((result) => finish(bench, opened, { result, wish }));
}

function stream(bench: Bench, opened: OpenedGraph, wish: Wish): WorkflowStream {
  checkGiven(bench, opened, wish);
  const events = opened.graph.stream(wish.given, optionsOf(bench, wish.settings, null));
  const result = events.result.then((ended) => finish(bench, opened, { result: ended, wish }));
  // Whoever reads the events is told there, too.
  result.catch(() => {});
  return { result, [Symbol.asyncIterator]: () => eventsOf(events, result) };
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

interface Finish {
  readonly result: Result<StateData>;
  readonly wish: Wish;
}

/** Stores a run that is suspended, and gives its result with places. */
function finish(
  bench: Bench,
  opened: OpenedGraph,
  { result, wish }: Finish,
): WorkflowResult | Promise<WorkflowResult> {
  const told = (): WorkflowResult => announce(bench, wish.settings, toWorkflowResult(result, opened.placeOf));
  if (result.status !== "suspended") return told();
  return bench.store.add(createRecord(originOf(bench, wish), result.checkpoint, result.waiting)).then(told);
}

function originOf(bench: Bench, wish: Wish): RunOrigin {
  const { path, encoding } = sourceOf(bench, wish);
  const { maxSteps = null, timeoutMs = null } = wish.settings;
  return { sheet: sheetFrom(bench.project.root, path), encoding, limits: { maxSteps, timeoutMs } };
}

function announce({ log = console }: Bench, { on }: RunSettings, result: WorkflowResult): WorkflowResult {
  try {
    on?.({ type: "run_end", runId: result.runId, result });
  } catch (thrown) {
    log.error("a listener for run_end threw", thrown);
  }
  return result;
}

interface ResumeWish {
  readonly answers: Answers;
  readonly settings: RunSettings;
}

async function resume(
  bench: Bench,
  runId: string,
  { answers, settings }: ResumeWish,
): Promise<WorkflowResult> {
  const { store, project, cwd } = bench;
  const stored = await store.find(runId);
  const { record } = stored;
  const goOn = async (): Promise<Resumed> => {
    const path = sheetOf(record, project.root);
    const source = { path, shown: nameFrom(cwd, path), encoding: record.encoding };
    const opened = await prepareResume(record, answers, () => openAt(bench, source, record.graph));
    return resumeStored(store, stored, {
      opened,
      answers,
      options: optionsOf(bench, settings, record.limits),
    });
  };
  const { result, told } = (await tellEnd(store, stored)) ?? (await goOn());
  await told();
  return announce(bench, settings, result);
}

/** Refuses what no run can begin with; fields that nobody knows are warned of once. */
function checkGiven({ warned, log = console }: Bench, opened: OpenedGraph, { given }: Wish): void {
  const { problems, unknown } = opened.checkGiven(given);
  const [first, ...others] = problems;
  if (first !== undefined) throw new GivenError([first, ...others]);
  for (const { message, help } of unknown) {
    if (warned.has(message)) continue;
    warned.add(message);
    log.warn(help === null ? message : `${message}: ${help}`);
  }
}

/** What the driver is told: the request goes before what the run was started with, and that before the configuration. */
function optionsOf(bench: Bench, settings: RunSettings, limits: RunLimits | null): RunOptions {
  const { log, services, redact, project } = bench;
  const { signal, on, trace } = settings;
  const maxSteps = settings.maxSteps ?? limits?.maxSteps ?? project.execution.maxSteps;
  const timeoutMs = settings.timeoutMs ?? limits?.timeoutMs ?? project.execution.timeoutMs;
  const options: { -readonly [K in keyof RunOptions]: RunOptions[K] } = { redact };
  if (maxSteps !== null) options.maxSteps = maxSteps;
  if (timeoutMs !== null) options.timeoutMs = timeoutMs;
  if (signal !== undefined) options.signal = signal;
  if (log !== undefined) options.log = log;
  if (services !== undefined) options.services = services;
  if (trace === true) options.trace = true;
  if (on !== undefined)
    options.on = (event) => {
      // The end is told when a suspended run is stored.
      if (event.type !== "run_end") on(event);
    };
  return options;
}

function validate({ cwd, project, env, encoding, agents = {} }: Bench, csvPath: string): Report {
  const sheet = { path: resolve(cwd, csvPath), shown: csvPath, named: true };
  const about = { folders: project, env, encoding, sheets: [sheet], registered: Object.keys(agents) };
  const world = createWorlds({ ...about, unknownAgent: "warning" })(sheet);
  const understanding = understandContent(readSheetFile(sheet), { shown: csvPath, encoding, world });
  const { diagnostics, graphs, sheet: read } = understanding;
  return createReport(diagnostics, new Map([[csvPath, read?.text ?? ""]]), graphs);
}
