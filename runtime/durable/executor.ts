import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Answers, Logger } from "../graph/contract/contract.js";
import { CONTRACT } from "../graph/contract/define.js";
import { type Answerer, NOBODY } from "../graph/suspend/answerer.js";
import type { Host } from "../host.js";
import { answerRefused, givenAnswers } from "./answering.js";
import { unhandledThrow } from "./edits/find-visit.js";
import { type ForkPoint, planFork, visitIn } from "./edits/fork.js";
import type { MoveTarget } from "./edits/moves.js";
import { type Followed, type Follower, Following } from "./following.js";
import { insist } from "./insist.js";
import { isEnded } from "./kept-result.js";
import { hasJournal } from "./legs/asleep.js";
import type { Claimed } from "./legs/leg-store.js";
import type { GraphSource, LegSettings } from "./legs/leg-world.js";
import { Legs, type LegsOptions } from "./legs/legs.js";
import { otherContract } from "./legs/other-contract.js";
import { eventOf } from "./legs/told-events.js";
import type { NoticesWorld } from "./notices.js";
import type { EventRow, FullRun, RunRow, RunStatus, StepRow, WaitRow } from "./rows.js";
import { type FirstWait, type StartedRun, type Starter, type StartRequest, Starts } from "./starts.js";
import type {
  DurableStore,
  EventQuery,
  RowPage,
  RowQuery,
  StepPage,
  StepQuery,
  StoreStats,
} from "./store.js";
import { StoreError } from "./store-error.js";
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
  /** Told of each run that ends here, or comes to where it waits. */
  readonly told?: LegsOptions["told"];
  /** Calls the agent that reminds people of open questions. Without it they are events alone. */
  readonly remind?: NoticesWorld["remind"];
}

/** A run that was begun, or whose key had begun it before. */
export interface BegunRun extends StartedRun {
  /** Stays until it ends, waits, or is let go of. */
  readonly follow: (follower: Follower) => Promise<Followed>;
}

/** Starts, works on and changes the runs of one store. Any number of processes may have one each. */
export class DurableExecutor {
  readonly store: DurableStore;
  readonly #parts: ExecutorParts;
  readonly #legs: Legs;
  readonly #starts: Starts;
  readonly #following: Following;
  readonly #workers = new Set<PollingWorker>();
  #isClosed = false;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.store = parts.store;
    this.#legs = this.#newLegs();
    const { store, redact, settings } = parts;
    const { limits, recoveries, erase } = settings;
    this.#starts = new Starts({ store, redact, erase });
    this.#following = new Following({
      ...{ store, legs: this.#legs, limits, recoveries },
      known: (runId) => this.#known(runId),
      statusOf: (run) => this.#statusOf(run, null),
      cancel: (runId) => this.cancel(runId),
    });
  }

  #newLegs(): Legs {
    const { settings, ...parts } = this.#parts;
    return new Legs({ ...parts, settings, deadAfterMs: settings.deadAfterMs });
  }

  /** Begins a run that workers go on with. The same key once more gives the run that it began. */
  async start(request: StartRequest): Promise<StartedRun> {
    const { created, run } = await this.#starts.begin(request, null);
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
    const { created, run, lease } = await this.#starts.begin(request, { owner: this.#legs.owner, limits });
    const claimed = lease === null ? null : { lease, run };
    return { created, run, follow: (follower) => this.follow(run.runId, follower, claimed) };
  }

  /** Keeps a run that was driven in memory and now waits. Workers go on with it like with any other. */
  keepAsleep(request: StartRequest, wait: FirstWait): Promise<void> {
    return this.#starts.beginAsleep(request, wait);
  }

  /** Works on the run when nobody else does, and stays until it has ended or waits. */
  follow(runId: string, follower: Follower, first: Claimed | null = null): Promise<Followed> {
    return this.#following.follow(runId, follower, first);
  }

  async #known(runId: string): Promise<FullRun> {
    const run = await this.store.run(runId);
    if (run === null) throw new StoreError("run_not_found", `no run has the id ${quoted(runId)}`);
    return run;
  }

  /** Null when there is no such run. A run whose worker has died is queued, although nobody has taken it yet. */
  async get(runId: string): Promise<FullRun | null> {
    const run = await this.store.run(runId);
    return run === null ? null : this.#seen(run, null);
  }

  async list(query: RowQuery): Promise<RowPage> {
    const page = await this.store.list(query);
    const beats = page.runs.some(({ status }) => status === "running") ? await this.#beats() : new Map();
    return { ...page, runs: await Promise.all(page.runs.map((run) => this.#seen(run, beats))) };
  }

  /** As people are told of it. */
  async #seen<Run extends RunRow>(run: Run, beats: ReadonlyMap<string, number> | null): Promise<Run> {
    const status = await this.#statusOf(run, beats);
    return { ...run, status, held: run.held ?? otherContract({ ...run, status }) };
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

  /** How many runs there are, how long people have waited, and whether anybody is at work. */
  async figures(): Promise<{ readonly stats: StoreStats; readonly hasWorkers: boolean }> {
    return { stats: await this.store.stats(Date.now()), hasWorkers: await this.hasWorkers() };
  }

  steps(runId: string): Promise<readonly StepRow[]> {
    return this.store.steps(runId);
  }

  stepsFrom(runId: string, query: StepQuery): Promise<StepPage> {
    return this.store.stepsFrom(runId, query);
  }

  waits(runId: string): Promise<readonly WaitRow[]> {
    return this.store.waits(runId);
  }

  events(runId: string, query?: EventQuery): Promise<readonly EventRow[]> {
    return this.store.events(runId, query);
  }

  /** The number of the last event of a run; 0 without one. */
  lastEvent(runId: string): Promise<number> {
    return this.store.lastEvent(runId);
  }

  /** Stores the answers: all of them, or none. Workers go on with the run. */
  async answer(runId: string, answers: Answers, answerer: Answerer = NOBODY): Promise<void> {
    const run = await this.#known(runId);
    // What it has come to was not told yet: whoever asks without an answer is told.
    if (isEnded(run) && !hasJournal(run) && Object.keys(answers).length === 0) return;
    if (isEnded(run)) throw new StoreError("already_ended", `the run ${runId} has ended: ${run.status}`);
    if (Object.keys(answers).length === 0) return;
    const given = givenAnswers(run, await this.store.waits(runId), answers, answerer);
    const answered = await insist(() => this.store.answer(runId, given));
    if (answered.kind !== "taken") throw answerRefused(runId, answered);
    this.#poke();
  }

  async cancel(runId: string): Promise<RunRow> {
    const before = await this.#known(runId);
    // The leg of a cancelled run tells nothing any more.
    const events = [eventOf("run_cancel"), eventOf("run_end", { status: "cancelled" })];
    const { erase } = this.#parts.settings;
    const row = this.#changed(runId, await this.store.cancel(runId, { at: Date.now(), events, erase }));
    // No leg tells of it. Its visits are known to whoever was at work on it.
    this.#parts.told?.({ graph: row.graph, status: "cancelled", steps: 0 });
    // Whoever follows a run at work is told of its end, and then it is forgotten.
    if (!hasJournal(before) && before.status !== "running") await this.store.forget(runId);
    return row;
  }

  /** The same run goes on, from a visit, or else without the throw that made it fail. */
  async retry(runId: string, from: string | null = null): Promise<RunRow> {
    const run = await this.#withJournal(runId, "be retried");
    const steps = await this.store.steps(runId);
    const after = from === null ? null : visitIn(runId, { steps, events: [] }, from).after;
    const late = steps.filter(({ seq }) => after !== null && seq > after);
    const forget = after === null ? unhandledThrow(run, steps) : late.map(({ id }) => id);
    const events = [eventOf("run_retry")];
    const row = await this.store.retry(runId, { at: Date.now(), events, forget, after, was: run });
    this.#poke();
    return this.#changed(runId, row);
  }

  /** Begins a new run with what another had recorded before a visit; `current` is the graph as it now is. */
  async fork(
    runId: string,
    point: ForkPoint,
    { starter, current = null }: { readonly starter: Starter; readonly current?: MoveTarget | null },
  ): Promise<StartedRun> {
    const parent = await this.#withJournal(runId, "be forked");
    const forked = await planFork(this.#parts, parent, { point, current: current?.graph ?? null });
    const { created, run } = await this.#starts.fork(parent, forked, { starter, current });
    this.#poke();
    return { created, run };
  }

  async #withJournal(runId: string, what: string): Promise<FullRun> {
    const run = await this.#known(runId);
    if (hasJournal(run)) return run;
    throw new StoreError(
      "run_without_history",
      `the run ${runId} was kept only when it began to wait, without a history: it cannot ${what}`,
      { help: "runs.keep: all in flowsheet.yaml keeps every run from its start" },
    );
  }

  #changed(runId: string, row: RunRow | null): RunRow {
    if (row === null) throw new StoreError("run_not_found", `no run has the id ${quoted(runId)}`);
    return row;
  }

  /** Works on due runs until it is stopped. */
  work(options: WorkOptions = {}): Worker {
    if (this.#isClosed) throw new StoreError("store_unusable", "the executor has been closed");
    const { store, settings, log, redact, remind = null } = this.#parts;
    const { limits, recoveries, concurrency, retentionMs = null } = settings;
    const about = { store, log, redact, remind, limits, recoveries, retentionMs, contract: CONTRACT };
    const worker = new PollingWorker({ ...about, legs: this.#newLegs() }, { concurrency, ...options });
    this.#workers.add(worker);
    return worker;
  }

  #poke(): void {
    for (const worker of this.#workers) worker.poke();
  }

  /** Stops its workers, lets go of what is at work here, and closes the store. */
  async close(graceMs?: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.stop(graceMs)));
    await this.#legs.leave(graceMs ?? 0);
    await this.store.close();
  }
}
