import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Checkpoint, Json, StateData, WaitingFor } from "../graph/contract/contract.js";
import { CONTRACT } from "../graph/contract/define.js";
import { versionOf } from "../graph/link/fingerprint.js";
import { NEVER } from "../graph/values/times.js";
import { type Forked, isSameFork } from "./edits/fork.js";
import type { MoveTarget } from "./edits/moves.js";
import { insist } from "./insist.js";
import { isEnded } from "./kept-result.js";
import { firstWaits, WITHOUT_JOURNAL, withCheckpoint } from "./legs/asleep.js";
import { type KeptOptions, optionsOf } from "./legs/kept-options.js";
import { eventOf, waitEvent } from "./legs/told-events.js";
import type { FullRun, NewRun } from "./rows.js";
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
  /** The key alone tells that it is the same start, whatever is given. */
  readonly keyAlone?: boolean;
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

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /** The same key once more gives the run that it began. */
  async begin(request: StartRequest, claim: FirstClaim | null): Promise<Started> {
    const { texts } = request;
    const run = this.#newRun(request);
    const events = [eventOf("run_start", { graph: run.graph })];
    const more = claim === null ? { texts, events } : { texts, events, claim };
    const started = await insist(() => this.#options.store.start(run, more));
    const isFork = started.run.parent !== null;
    const isSame =
      request.keyAlone === true ||
      this.#hasErased(started.run) ||
      isDeepStrictEqual(started.run.given, run.given);
    if (started.created || (isSame && !isFork)) return started;
    const what = isFork ? "a fork" : "a run with other input";
    throw new StoreError("key_reused", `the key ${JSON.stringify(run.key)} has begun ${what}`, {
      help: `that run is ${started.run.runId}`,
    });
  }

  /** Keeps a run that has no journal, from its first wait on. */
  async beginAsleep(
    request: StartRequest,
    { checkpoint, waiting, result, worked }: FirstWait,
  ): Promise<void> {
    const { redact, store } = this.#options;
    const { texts } = request;
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
    const waits = firstWaits(checkpoint, waiting, at);
    await insist(() => store.start(begun, { texts, waits, asleep }));
  }

  /** What an erased run was given is known no more. */
  #hasErased(run: FullRun): boolean {
    return this.#options.erase && isEnded(run);
  }

  #newRun(request: Omit<StartRequest, "texts">): NewRun {
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

  /** Begins a new run with what another had recorded before a visit, with the limits of that one. */
  async fork(
    parent: FullRun,
    forked: Forked,
    { starter, current }: { readonly starter: Starter; readonly current: MoveTarget | null },
  ): Promise<Started> {
    const request = forkRequest(parent, forked, { ...starter, ...(current === null ? {} : pinTo(current)) });
    // What was recorded goes on where its ids are known.
    const contract = current === null ? parent.contract : CONTRACT;
    const run = { ...this.#newRun(request), parent: forked.parent, contract };
    const { steps, waits } = forked;
    const events = [eventOf("run_start", { graph: run.graph })];
    const more = { steps, waits, events, ...(current === null ? {} : { texts: current.texts }) };
    const started = await insist(() => this.#options.store.start(run, more));
    if (started.created || isSameFork(started.run, forked)) return started;
    throw new StoreError("key_reused", `the key ${JSON.stringify(run.key)} has begun another run`, {
      help: `that run is ${started.run.runId}`,
    });
  }
}

/** A later time is none. SQLite would give it back as a number that JavaScript cannot hold. */
const deadlineOf = ({ deadline = null }: Pick<StartRequest, "deadline">): number | null =>
  deadline === null ? null : Math.min(deadline, NEVER);

function forkRequest(
  parent: FullRun,
  { set }: Forked,
  more: Starter & Partial<Pick<StartRequest, "sheet" | "version">>,
): Omit<StartRequest, "texts"> {
  const { graph, sheet, version, given, deadline, created } = parent;
  const { set: _, ...limits } = optionsOf(parent);
  return {
    ...{ graph, sheet, version, given },
    limits: set.length === 0 ? limits : { ...limits, set },
    // As long as its parent had.
    deadline: deadline === null ? null : Date.now() + deadline - created,
    ...more,
  };
}

const pinTo = ({ graph, sheet }: MoveTarget): Pick<StartRequest, "sheet" | "version"> => ({
  sheet,
  version: versionOf(graph),
});
