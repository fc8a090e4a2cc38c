import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Answers, Json, Logger, StateData } from "../graph/contract/contract.js";
import { CONTRACT } from "../graph/contract/define.js";
import type { Host } from "../host.js";
import { checkAnswersTo } from "../runs/answers.js";
import { LET_GO } from "../runs/let-go.js";
import type { WorkflowResult } from "../runs/result.js";
import { unhandledThrow } from "./find-visit.js";
import { forkOf, isSameFork } from "./fork.js";
import { insist } from "./insist.js";
import { resultOf } from "./kept-result.js";
import type { GraphSource, Guest, KeptLimits, LegSettings } from "./leg.js";
import { Legs } from "./legs.js";
import type { EventRow, FullRun, NewRun, RunRow, RunStatus, StepRow, VersionRow, WaitRow } from "./rows.js";
import type { Claimed, DurableStore, EventQuery, RowPage, RowQuery } from "./store.js";
import { StoreError } from "./store-error.js";
import { eventOf } from "./told-events.js";
import { PollingWorker, type Worker, type WorkOptions } from "./worker.js";

export interface ExecutorSettings extends LegSettings {
  readonly concurrency: number;
  readonly limits: { readonly [graph: string]: number };
  readonly recoveries: number;
  readonly deadAfterMs: number;
  /** How long workers keep ended runs; for ever without. */
  readonly retentionMs?: number | null;
}

export interface ExecutorParts {
  readonly store: DurableStore;
  readonly graphs: GraphSource;
  readonly settings: ExecutorSettings;
  readonly host: Host;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly redact: (text: string) => string;
}

/** A run that is to begin. */
export interface StartRequest {
  readonly graph: string;
  readonly sheet: string | null;
  readonly version: string;
  /** What is kept of the version, with its first run. */
  readonly texts: () => Json;
  readonly given: StateData;
  readonly limits: KeptLimits;
  /** Of 32 hexadecimal digits; a new one without. */
  readonly runId?: string;
  readonly key?: string | null;
  readonly userId?: string | null;
  readonly startedBy?: string | null;
  /** When it begins; at once without. */
  readonly at?: number | null;
  readonly deadline?: number | null;
}

export interface StartedRun {
  readonly created: boolean;
  readonly run: FullRun;
}

/** Whoever starts or resumes a run and stays until it ends or waits. */
export interface Follower extends Guest {
  /** Aborted, it cancels the run; with the reason `LET_GO` the run stays for others. */
  readonly signal?: AbortSignal | undefined;
  /** False: it is left to other workers, and only its end is waited for. */
  readonly works?: boolean;
  /** Says what is waited for. */
  readonly note?: (message: string) => void;
  /** The run is stored, and nothing of it is at work yet. */
  readonly begun?: (started: StartedRun) => void;
}

/** The run is at work no more: it has ended, waits, or was let go of. */
export type Followed =
  | { readonly kind: "result"; readonly result: WorkflowResult }
  | { readonly kind: "let_go"; readonly runId: string };

/** A run that was begun, or whose key had begun it before. */
export interface BegunRun extends StartedRun {
  /** Stays until it ends, waits, or is let go of. */
  readonly follow: (follower: Follower) => Promise<Followed>;
}

/** Who begins a run, and with which key. */
export type Starter = Pick<NewRun, "key" | "userId" | "startedBy">;

export interface AnswerGiver {
  readonly by: string | null;
}

const POLL_MS = 25;
const LONGEST_POLL_MS = 250;
const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

export const isEnded = ({ status }: Pick<RunRow, "status">): boolean => ENDED.has(status);

/** Starts, works on and changes the runs of one store. Any number of processes may have one each. */
export class DurableExecutor {
  readonly store: DurableStore;
  readonly #parts: ExecutorParts;
  readonly #legs: Legs;
  readonly #workers = new Set<PollingWorker>();
  readonly #versions = new Set<string>();

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.store = parts.store;
    this.#legs = this.#newLegs();
  }

  #newLegs(): Legs {
    const { settings, ...parts } = this.#parts;
    return new Legs({ ...parts, settings, deadAfterMs: settings.deadAfterMs });
  }

  /** Begins a run that workers go on with. The same key once more gives the run that it began. */
  async start(request: StartRequest): Promise<StartedRun> {
    const { created, run } = await this.#store(request, null);
    this.#poke();
    return { created, run };
  }

  /** Begins a run and works on it here, until it ends, waits, or is let go of. */
  async runHere(request: StartRequest, follower: Follower = {}): Promise<Followed> {
    const { created, run, follow } = await this.begin(request);
    follower.begun?.({ created, run });
    return follow(follower);
  }

  /** Begins a run that whoever follows it works on. */
  async begin(request: StartRequest): Promise<BegunRun> {
    await this.#legs.beat();
    const { limits } = this.#parts.settings;
    const { created, run, lease } = await this.#store(request, { owner: this.#legs.owner, limits });
    const claimed = lease === null ? null : { lease, run };
    return { created, run, follow: (follower) => this.follow(run.runId, follower, claimed) };
  }

  async #store(
    request: StartRequest,
    claim: { readonly owner: string; readonly limits: ExecutorSettings["limits"] } | null,
  ): Promise<StartedRun & Pick<Awaited<ReturnType<DurableStore["start"]>>, "lease">> {
    await this.#keepVersion(request);
    const run = this.#newRun(request);
    const events = [eventOf("run_start", { graph: run.graph })];
    const started = await insist(() =>
      this.store.start(run, claim === null ? { events } : { events, claim }),
    );
    if (!started.created && !this.#hasErased(started.run) && !isDeepStrictEqual(started.run.given, run.given))
      throw new StoreError(
        "key_reused",
        `the key ${JSON.stringify(run.key)} has begun a run with other input`,
        {
          help: `that run is ${started.run.runId}`,
        },
      );
    return started;
  }

  /** What an erased run was given is known no more. */
  #hasErased(run: FullRun): boolean {
    return this.#parts.settings.erase && isEnded(run);
  }

  #newRun(request: StartRequest): NewRun {
    const { graph, sheet, version, given, limits, key = null, userId = null, startedBy = null } = request;
    const { at = null, deadline = null, runId = randomBytes(16).toString("hex") } = request;
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
      due: Math.min(at ?? created, deadline ?? Number.POSITIVE_INFINITY),
      deadline,
    };
  }

  /** Redacted as a whole: half of a secret would not be found. */
  #scalarsOf(given: StateData): string {
    const scalars = Object.values(given).filter((value) => value !== null && typeof value !== "object");
    const text = scalars.map(String).join(" ").slice(0, REDACTED);
    return this.#parts.redact(text).slice(0, WORDS);
  }

  async #keepVersion({ graph, sheet, version, texts }: StartRequest): Promise<void> {
    if (this.#versions.has(version)) return;
    const row: VersionRow = { version, graph, sheet, contract: CONTRACT, texts: texts(), seen: Date.now() };
    await this.store.keepVersion(row);
    this.#versions.add(version);
  }

  /** Works on the run when nobody else does, and stays until it has ended or waits. */
  async follow(runId: string, follower: Follower, first: Claimed | null = null): Promise<Followed> {
    let claimed = first;
    let wait = POLL_MS;
    let isNoted = false;
    for (;;) {
      if (claimed !== null) {
        const followed = await this.#workHere(claimed, follower);
        if (followed !== null) return followed;
      }
      const run = await this.#known(runId);
      const rest = await this.#restOf(run, follower);
      if (rest !== null) return rest;
      if (run.status === "running") await this.#freeOfDead(run);
      const found = follower.works === false ? null : await this.#claimOne(runId);
      claimed = found;
      if (found !== null) continue;
      if (run.status === "queued" && run.due <= Date.now() && !isNoted) {
        follower.note?.(`the run ${runId} waits: as many runs of "${run.graph}" are at work as may be`);
        isNoted = true;
      }
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_POLL_MS);
    }
  }

  /** Whoever follows a run need have no worker that takes it from a dead owner. */
  async #freeOfDead(run: RunRow): Promise<void> {
    if ((await this.#statusOf(run, null)) === "running") return;
    const { recoveries } = this.#parts.settings;
    const isGone = (owner: string, seen: number | null): boolean => this.#legs.isGone(owner, seen);
    await this.store.sweep({ isGone, now: Date.now(), recoveries });
  }

  async #claimOne(runId: string): Promise<Claimed | null> {
    const { limits } = this.#parts.settings;
    await this.#legs.beat();
    const claiming = {
      owner: this.#legs.owner,
      now: Date.now(),
      limit: 1,
      contract: CONTRACT,
      runId,
      limits,
    };
    return (await this.store.claim(claiming))[0] ?? null;
  }

  /** Null when the run goes on elsewhere, or at once. */
  async #workHere(claimed: Claimed, follower: Follower): Promise<Followed | null> {
    const outcome = await this.#legs.run(claimed, follower, follower.signal);
    const { runId } = claimed.lease;
    switch (outcome.kind) {
      case "ended":
        return { kind: "result", result: outcome.result as unknown as WorkflowResult };
      case "let_go":
        return { kind: "let_go", runId };
      case "held":
        throw (
          outcome.error ?? new StoreError("run_held", `the run ${runId} cannot go on here: ${outcome.why}`)
        );
      case "broken":
        throw outcome.error;
      case "waiting":
      case "lost":
        return null;
    }
  }

  /** What to give whoever follows a run that is not at work; null while it goes on. */
  async #restOf(run: FullRun, { signal }: Follower): Promise<Followed | null> {
    const { runId, status } = run;
    if (isEnded(run)) return { kind: "result", result: resultOf(run) };
    if (status === "waiting" && run.due > Date.now()) return { kind: "result", result: resultOf(run) };
    if (status === "stuck")
      throw new StoreError("run_stuck", `the run ${runId} is stuck: its worker died too often`, {
        help: `flowsheet runs retry ${runId}`,
      });
    if (signal?.aborted !== true) return null;
    if (signal.reason === LET_GO) return { kind: "let_go", runId };
    await this.cancel(runId).catch(() => {});
    return { kind: "result", result: resultOf(await this.#known(runId)) };
  }

  async #known(runId: string): Promise<FullRun> {
    const run = await this.store.run(runId);
    if (run === null) throw new StoreError("run_not_found", `no run has the id ${JSON.stringify(runId)}`);
    return run;
  }

  /** Null when there is no such run. A run whose worker has died is queued, although nobody has taken it yet. */
  async get(runId: string): Promise<FullRun | null> {
    const run = await this.store.run(runId);
    return run === null ? null : { ...run, status: await this.#statusOf(run, null) };
  }

  async list(query: RowQuery): Promise<RowPage> {
    const page = await this.store.list(query);
    const beats = page.runs.some(({ status }) => status === "running") ? await this.#beats() : new Map();
    const runs = page.runs.map(async (run) => ({ ...run, status: await this.#statusOf(run, beats) }));
    return { ...page, runs: await Promise.all(runs) };
  }

  async #statusOf({ status, owner }: RunRow, beats: ReadonlyMap<string, number> | null): Promise<RunStatus> {
    if (status !== "running" || owner === null) return status;
    const seen = (beats ?? (await this.#beats())).get(owner) ?? null;
    return this.#legs.isGone(owner, seen) ? "queued" : "running";
  }

  async #beats(): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.store.workers()).map(({ owner, seen }) => [owner, seen]));
  }

  /** Whether anybody takes runs that others have begun. */
  async hasWorkers(): Promise<boolean> {
    const workers = await this.store.workers();
    return workers.some(({ owner, seen, concurrency }) => concurrency > 0 && !this.#legs.isGone(owner, seen));
  }

  steps(runId: string): Promise<readonly StepRow[]> {
    return this.store.steps(runId);
  }

  waits(runId: string): Promise<readonly WaitRow[]> {
    return this.store.waits(runId);
  }

  events(runId: string, query?: EventQuery): Promise<readonly EventRow[]> {
    return this.store.events(runId, query);
  }

  /** Stores the answers: all of them, or none. Workers go on with the run. */
  async answer(runId: string, answers: Answers, { by }: AnswerGiver = { by: null }): Promise<void> {
    const run = await this.#known(runId);
    if (isEnded(run)) throw new StoreError("already_ended", `the run ${runId} has ended: ${run.status}`);
    if (Object.keys(answers).length === 0) return;
    const waits = await this.store.waits(runId);
    checkAnswersTo(
      waits.map(({ waiting, spec }) => ({ node: waiting.node, spec })),
      answers,
    );
    const nodes = Object.keys(answers);
    const events = nodes.map((node) => eventOf("run_answer", { node, by }));
    const given = { answers, by, at: Date.now(), token: randomUUID(), events };
    const answered = await insist(() => this.store.answer(runId, given));
    if (answered.kind !== "taken") throw refusalOf(runId, answered);
    this.#poke();
  }

  async cancel(runId: string): Promise<RunRow> {
    // The leg of a cancelled run tells nothing any more.
    const events = [eventOf("run_cancel"), eventOf("run_end", { status: "cancelled" })];
    const row = this.#changed(runId, await this.store.cancel(runId, { at: Date.now(), events }));
    if (this.#parts.settings.erase) await this.store.erase(runId);
    return row;
  }

  /** The same run goes on; `after` forgets the steps behind that number, else the throw that made the run fail. */
  async retry(runId: string, after: number | null = null): Promise<RunRow> {
    const run = await this.#known(runId);
    const steps = await this.store.steps(runId);
    const late = steps.filter(({ seq }) => after !== null && seq > after);
    const forget = after === null ? unhandledThrow(run, steps) : late.map(({ id }) => id);
    const events = [eventOf("run_retry")];
    const row = await this.store.retry(runId, { at: Date.now(), events, forget, after });
    this.#poke();
    return this.#changed(runId, row);
  }

  /** Begins a new run with what another had recorded before a visit, on the graph that it began with. */
  async fork(runId: string, from: string, starter: Starter): Promise<StartedRun> {
    const parent = await this.#known(runId);
    const [steps, waits] = await Promise.all([this.store.steps(runId), this.store.waits(runId)]);
    const forked = forkOf(parent, { steps, waits }, from);
    const { graph, sheet, version, given } = parent;
    const limits = parent.options as unknown as KeptLimits;
    const request = { graph, sheet, version, given, limits, ...starter, texts: () => null };
    const run = { ...this.#newRun(request), parent: forked.parent };
    const events = [eventOf("run_start", { graph })];
    const more = { steps: forked.steps, waits: forked.waits, events };
    const started = await insist(() => this.store.start(run, more));
    if (!started.created && !isSameFork(started.run, forked))
      throw new StoreError("key_reused", `the key ${JSON.stringify(run.key)} has begun another run`);
    this.#poke();
    return started;
  }

  #changed(runId: string, row: RunRow | null): RunRow {
    if (row === null) throw new StoreError("run_not_found", `no run has the id ${JSON.stringify(runId)}`);
    return row;
  }

  /** Works on due runs until it is stopped. */
  work(options: WorkOptions = {}): Worker {
    const { store, settings, log } = this.#parts;
    const { limits, recoveries, concurrency, retentionMs = null } = settings;
    const about = { store, log, limits, recoveries, retentionMs, contract: CONTRACT };
    const worker = new PollingWorker({ ...about, legs: this.#newLegs() }, { concurrency, ...options });
    this.#workers.add(worker);
    return worker;
  }

  #poke(): void {
    for (const worker of this.#workers) worker.poke();
  }

  /** Stops its workers, lets go of what is at work here, and closes the store. */
  async close(graceMs?: number): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop(graceMs)));
    await this.#legs.leave(graceMs ?? 0);
    await this.store.close();
  }
}

function refusalOf(
  runId: string,
  answered: Exclude<Awaited<ReturnType<DurableStore["answer"]>>, { readonly kind: "taken" }>,
): StoreError {
  switch (answered.kind) {
    case "unknown_run":
      return new StoreError("run_not_found", `no run has the id ${JSON.stringify(runId)}`);
    case "not_waiting":
      return new StoreError("input_invalid", `${JSON.stringify(answered.node)} waits for no answer`);
    case "already_answered":
      return new StoreError("already_answered", `${JSON.stringify(answered.node)} has been answered already`);
    case "already_ended":
      return new StoreError("already_ended", `the time to answer ${JSON.stringify(answered.node)} is over`);
  }
}

/** The longest text that a search looks at. */
const WORDS = 200;
/** So much of it is looked at for secrets. */
const REDACTED = 4_000;
