import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Checkpoint, Json, StateData, WaitingFor } from "../graph/contract/contract.js";
import { CONTRACT } from "../graph/contract/define.js";
import { versionOf } from "../graph/link/fingerprint.js";
import { type Forked, isSameFork } from "./edits/fork.js";
import type { MoveTarget } from "./edits/moves.js";
import { insist } from "./insist.js";
import { isEnded } from "./kept-result.js";
import { firstWaits, WITHOUT_JOURNAL, withCheckpoint } from "./legs/asleep.js";
import { type KeptOptions, optionsOf } from "./legs/leg.js";
import { eventOf, waitEvent } from "./legs/told-events.js";
import type { FullRun, NewRun, VersionRow } from "./rows.js";
import type { DurableStore, Started } from "./store.js";
import { StoreError } from "./store-error.js";

/** A run that is to begin. */
export interface StartRequest {
  readonly graph: string;
  readonly sheet: string | null;
  readonly version: string;
  /** What is kept of the version, with its first run. */
  readonly texts: () => Json;
  readonly given: StateData;
  readonly limits: KeptOptions;
  /** Of 32 hexadecimal digits; a new one without. */
  readonly runId?: string;
  readonly key?: string | null;
  readonly userId?: string | null;
  readonly startedBy?: string | null;
  /** When it begins; at once without. */
  readonly at?: number | null;
  readonly deadline?: number | null;
}

/** A run that was driven in memory and now waits. */
export interface FirstWait {
  readonly checkpoint: Checkpoint;
  readonly waiting: readonly WaitingFor[];
  /** As it is told to whoever began the run. */
  readonly result: Json;
  /** Milliseconds at work. */
  readonly worked: number;
}

export interface StartedRun {
  readonly created: boolean;
  readonly run: FullRun;
}

/** Who begins a run, and with which key. */
export type Starter = Pick<NewRun, "key" | "userId" | "startedBy">;

/** The longest text that a search looks at. */
const WORDS = 200;
/** So much of it is looked at for secrets. */
const REDACTED = 4_000;

export interface StartsOptions {
  readonly store: DurableStore;
  readonly erase: boolean;
  readonly redact: (text: string) => string;
}

/** Whoever begins a run takes it at once. */
interface FirstClaim {
  readonly owner: string;
  readonly limits: { readonly [graph: string]: number };
}

/** The beginnings of runs, each with its version and its key. */
export class Starts {
  readonly #options: StartsOptions;
  readonly #versions = new Set<string>();

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /** The same key once more gives the run that it began. */
  async begin(request: StartRequest, claim: FirstClaim | null): Promise<Started> {
    await this.#keepVersion(request);
    const run = this.#newRun(request);
    const events = [eventOf("run_start", { graph: run.graph })];
    const more = claim === null ? { events } : { events, claim };
    const started = await insist(() => this.#options.store.start(run, more));
    const isSame = this.#hasErased(started.run) || isDeepStrictEqual(started.run.given, run.given);
    if (started.created || isSame) return started;
    throw new StoreError(
      "key_reused",
      `the key ${JSON.stringify(run.key)} has begun a run with other input`,
      {
        help: `that run is ${started.run.runId}`,
      },
    );
  }

  /** Keeps a run that has no journal, from its first wait on. */
  async beginAsleep(
    request: StartRequest,
    { checkpoint, waiting, result, worked }: FirstWait,
  ): Promise<void> {
    await this.#keepVersion(request);
    const { redact, store } = this.#options;
    const run = this.#newRun({ ...request, runId: checkpoint.runId });
    const { created: at, options } = run;
    const asleep = {
      ...{ at, worked: Math.round(worked), steps: [] },
      result: withCheckpoint(result, checkpoint),
      events: [eventOf("run_start", { graph: run.graph }), waitEvent(waiting, redact)],
    };
    const begun = {
      ...run,
      created: at - asleep.worked,
      options: { ...(options as object), ...WITHOUT_JOURNAL },
    };
    await insist(() => store.start(begun, { waits: firstWaits(checkpoint, waiting, at), asleep }));
  }

  /** What an erased run was given is known no more. */
  #hasErased(run: FullRun): boolean {
    return this.#options.erase && isEnded(run);
  }

  #newRun(request: StartRequest): NewRun {
    const { graph, sheet, version, given, limits, key = null, userId = null, startedBy = null } = request;
    const { at = null, runId = randomBytes(16).toString("hex") } = request;
    const deadline = deadlineOf(request);
    const created = Date.now();
    const words = [runId, graph, this.#scalarsOf(given)].join(" ");
    const about = { runId, graph, sheet, version, contract: CONTRACT, given, key, userId, startedBy };
    return {
      ...about,
      options: limits as unknown as Json,
      parent: null,
      words,
      created,
      // Somebody must look at a run that is over before it begins.
      due: Math.min(at ?? created, deadline ?? NEVER),
      deadline,
    };
  }

  /** Redacted as a whole: half of a secret would not be found. */
  #scalarsOf(given: StateData): string {
    const scalars = Object.values(given).filter((value) => value !== null && typeof value !== "object");
    const text = scalars.map(String).join(" ").slice(0, REDACTED);
    return this.#options.redact(text).slice(0, WORDS);
  }

  async #keepVersion({ graph, sheet, version, texts }: StartRequest): Promise<void> {
    if (this.#versions.has(version)) return;
    const row: VersionRow = { version, graph, sheet, contract: CONTRACT, texts: texts(), seen: Date.now() };
    await this.#options.store.keepVersion(row);
    this.#versions.add(version);
  }

  /** Begins a new run with what another had recorded before a visit, with the limits of that one. */
  async fork(
    parent: FullRun,
    forked: Forked,
    { starter, current }: { readonly starter: Starter; readonly current: MoveTarget | null },
  ): Promise<Started> {
    const request = forkRequest(parent, forked, { ...starter, ...(current === null ? {} : pinTo(current)) });
    if (current !== null) await this.#keepVersion(request);
    const run = { ...this.#newRun(request), parent: forked.parent };
    const { steps, waits } = forked;
    const events = [eventOf("run_start", { graph: run.graph })];
    const started = await insist(() => this.#options.store.start(run, { steps, waits, events }));
    if (started.created || isSameFork(started.run, forked)) return started;
    throw new StoreError("key_reused", `the key ${JSON.stringify(run.key)} has begun another run`, {
      help: `that run is ${started.run.runId}`,
    });
  }
}

/** The last time that a `Date` can hold. */
const NEVER = 8_640_000_000_000_000;

/** A later time is none. SQLite would give it back as a number that JavaScript cannot hold. */
const deadlineOf = ({ deadline = null }: StartRequest): number | null =>
  deadline === null ? null : Math.min(deadline, NEVER);

function forkRequest(
  parent: FullRun,
  { set }: Forked,
  more: Starter & Partial<Pick<StartRequest, "sheet" | "version" | "texts">>,
): StartRequest {
  const { graph, sheet, version, given, deadline, created } = parent;
  const { set: _, ...limits } = optionsOf(parent);
  return {
    ...{ graph, sheet, version, given, texts: () => null },
    limits: set.length === 0 ? limits : { ...limits, set },
    // As long as its parent had.
    deadline: deadline === null ? null : Date.now() + deadline - created,
    ...more,
  };
}

const pinTo = ({ graph, sheet, texts }: MoveTarget): Pick<StartRequest, "sheet" | "version" | "texts"> => ({
  ...{ sheet, texts },
  version: versionOf(graph),
});
