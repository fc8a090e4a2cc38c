import { resolve } from "node:path";
import type { Report } from "../compiler/diagnostics/report.js";
import { type Project, readProject } from "./config/folders.js";
import type { Answers, AnyAgent, AnyGraph, Logger, Services } from "./graph/contract/contract.js";
import { type Environment, host } from "./host.js";
import {
  type RunSettings,
  readRequest,
  readSettings,
  refuseUnknown,
  SETTING_KEYS,
  type Wish,
  type WorkflowRequest,
} from "./runs/request.js";
import type { WorkflowResult } from "./runs/result.js";
import type { Runner } from "./runs/runner.js";
import type { WorkflowStream } from "./runs/stream.js";
import type { SuspendedRun } from "./runs/suspended.js";

/** Everything has a default. */
export interface FlowsheetOptions {
  /** The working folder. */
  readonly cwd?: string;
  /** The configuration file; without it `flowsheet.yaml` is looked for upwards from the working folder. */
  readonly config?: string;
  /** The environment; that of the process without it. */
  readonly env?: Environment;
  /** The encoding of sheets that are not UTF-8. */
  readonly encoding?: string;
  /** Agents by name, beside those of the agents folder. */
  readonly agents?: { readonly [name: string]: AnyAgent };
  readonly log?: Logger;
  /** The content of `context.services`. */
  readonly services?: Services;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof FlowsheetOptions>([
  ...(["cwd", "config", "env", "encoding", "agents", "log", "services"] as const),
]);

/** Runs the workflows of a project. One is enough for a process: it keeps the sheets it has read. */
export class Flowsheet {
  readonly #project: Project;
  readonly #make: () => Promise<Runner>;
  #runner: Runner | null = null;

  constructor(options: FlowsheetOptions = {}) {
    refuseUnknown("a Flowsheet", options, OPTIONS);
    // A relative path is resolved by the working folder: no other access to the process is needed.
    const cwd = resolve(options.cwd ?? ".");
    const { env = host.env } = options;
    const project = readProject(cwd, options.config ?? null, env);
    this.#project = project;
    // Parser and analysis are loaded with the first sheet: importing the package costs little.
    this.#make = async () => {
      const { Runner } = await import("./runs/runner.js");
      this.#runner ??= new Runner({
        ...options,
        cwd,
        project,
        env,
        encoding: options.encoding ?? null,
      });
      return this.#runner;
    };
  }

  /** The folders and limits of the configuration. */
  get project(): Project {
    return this.#project;
  }

  /** Runs a graph of a sheet. Rejects when the run cannot begin; every other failure is in the result. */
  runWorkflow(request: WorkflowRequest): Promise<WorkflowResult> {
    try {
      const wish = readRequest(request);
      const runner = this.#runner;
      const known = runner?.graphs.known(wish);
      // A known graph runs at once, because each further promise takes time.
      return runner === null || known === undefined ? this.#open(wish) : runner.run(known, wish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #open(wish: Wish): Promise<WorkflowResult> {
    const runner = await this.#make();
    return runner.run(await runner.graphs.open(wish), wish);
  }

  /** Runs a graph of a sheet, and gives its events one by one. */
  stream(request: WorkflowRequest): WorkflowStream {
    const started = this.#start(readRequest(request));
    const result = started.then((stream) => stream.result);
    // The result is also in the events, so a caller may ignore this promise.
    result.catch(() => {});
    return {
      result,
      async *[Symbol.asyncIterator]() {
        yield* await started;
      },
    };
  }

  async #start(wish: Wish): Promise<WorkflowStream> {
    const runner = await this.#make();
    return runner.stream(await runner.graphs.open(wish), wish);
  }

  /** Continues a suspended run. Answers are by node; nodes without an answer keep waiting. */
  async resume(runId: string, answers: Answers = {}, settings: RunSettings = {}): Promise<WorkflowResult> {
    refuseUnknown("a resume", settings, SETTING_KEYS);
    return (await this.#make()).resume(runId, answers, readSettings(settings));
  }

  /** The suspended runs, those that wait longest first. */
  async runs(): Promise<readonly SuspendedRun[]> {
    return (await this.#make()).waiting.list();
  }

  /** All problems of a sheet. Nothing is run. */
  async validate(csvPath: string): Promise<Report> {
    return (await this.#make()).graphs.validate(csvPath);
  }

  /**
   * A graph of a sheet, with the interface of a generated module's graph; or that module's own graph.
   * Rejects when the module does not match its sheet any more.
   */
  async load(
    csvPath: string,
    graphName?: string,
    { generated = false }: { readonly generated?: boolean } = {},
  ): Promise<AnyGraph> {
    const runner = await this.#make();
    const { graph, family } = await runner.graphs.open(readRequest({ csvPath, graphName }));
    if (!generated) return graph;
    const { openGenerated } = await import("./workflows/open-generated.js");
    return openGenerated(family, this.#project);
  }
}
