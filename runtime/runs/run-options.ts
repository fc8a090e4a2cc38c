import type { Project, RunLimits } from "../config/folders.js";
import type { Logger, RunOptions, Services } from "../graph/contract/contract.js";
import type { Telemetry } from "../otel/contract.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import type { RunSettings } from "./request.js";

export interface OptionsWorld {
  readonly project: Project;
  readonly redact: (message: string) => string;
  readonly services: Services;
  readonly log: Logger | undefined;
  readonly telemetry: Telemetry | null;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What runs of a project get beside their values. */
export class RunOptionsMaker {
  readonly #world: OptionsWorld;

  constructor(world: OptionsWorld) {
    this.#world = world;
  }

  /** The request has priority over the configuration. */
  deadlineOf({ deadlineMs }: RunSettings): number | null {
    const ms = deadlineMs ?? this.#world.project.keeping.deadlineMs;
    return ms === null ? null : Date.now() + ms;
  }

  /** Of a run that begins. */
  ofStart(settings: RunSettings, { placeOf }: OpenedGraph): RunOptions {
    const options = this.of(settings, null, placeOf);
    const deadline = this.deadlineOf(settings);
    return deadline === null ? options : { ...options, deadline };
  }

  /** The request has priority, then the limits of the first start, then the configuration. */
  of(settings: RunSettings, limits: RunLimits | null, placeOf?: OpenedGraph["placeOf"]): RunOptions {
    const { project, redact, services, log, telemetry } = this.#world;
    const { signal, on, trace, carrier, userId } = settings;
    const maxSteps = settings.maxSteps ?? limits?.maxSteps ?? project.execution.maxSteps;
    const timeoutMs = settings.timeoutMs ?? limits?.timeoutMs ?? project.execution.timeoutMs;
    const options: Writable<RunOptions> = { redact, services };
    if (userId !== undefined) options.startedBy = options.answeredBy = userId;
    if (project.timezone !== null) options.timezone = project.timezone;
    if (maxSteps !== null) options.maxSteps = maxSteps;
    if (timeoutMs !== null) options.timeoutMs = timeoutMs;
    if (signal !== undefined) options.signal = signal;
    if (log !== undefined) options.log = log;
    if (trace === true) options.trace = true;
    if (telemetry !== null) {
      const isPlain = carrier === undefined && placeOf === undefined;
      options.observer = isPlain ? telemetry : telemetry.from({ carrier, placeOf });
    }
    if (on !== undefined)
      options.on = (event) => {
        // `run_end` is sent after a suspended run was stored.
        if (event.type !== "run_end") on(event);
      };
    return options;
  }
}
