import { randomUUID } from "node:crypto";
import type {
  AnyGraph,
  Json,
  Ops,
  Result,
  RunEvent,
  RunOptions,
  StateData,
  Suspended,
  WaitEnd,
} from "../../graph/contract/contract.js";
import { InputError } from "../../graph/contract/errors.js";
import { toWorkflowResult } from "../../runs/result.js";
import { insist } from "../insist.js";
import {
  type FullRun,
  isGoneWait,
  type Lease,
  type NewEvent,
  type StepRow,
  type WaitEnding,
  type WaitRow,
} from "../rows.js";
import type { Claimed, DurableStore, KeptJournal, LegEnd, Suspension } from "../store.js";
import { AskedWaits } from "./asked-waits.js";
import { answersIn, changedWaits, checkpointOf, decideWaits, hasJournal, withCheckpoint } from "./asleep.js";
import { type Journal, type NewStep, type OpenedWait, openJournal } from "./journal.js";
import { newWait } from "./open-wait.js";
import { eventOf, ToldEvents, waitEvent } from "./told-events.js";

/** A graph as the run began with it, on this worker. */
export interface Runnable {
  readonly graph: AnyGraph;
  /** Services, the log and the redactor. */
  readonly options: RunOptions;
  /** The form in which results are kept: a `WorkflowResult`. */
  readonly describe: (result: Result<StateData>) => Json;
}

/** Finds the graph of a run; `held` says why it cannot go on here. */
export interface GraphSource {
  readonly open: (run: FullRun) => Promise<Runnable | Held>;
}

export interface Held {
  readonly held: string;
  /** For whoever waits for the run here. */
  readonly error?: Error;
}

/** The limits that a run was started with. */
export interface KeptLimits {
  readonly maxSteps: number | null;
  readonly timeoutMs: number | null;
}

/** What a fork writes on the state in front of a visit. */
export interface SetValues {
  /** The id of the visit's first call. */
  readonly at: string;
  /** The whole name of its node. */
  readonly node: string;
  readonly visit: number;
  /** The number of the step that it was set behind. */
  readonly seq: number;
  readonly values: StateData;
}

/** What is kept of a start beside its values. */
export interface KeptOptions extends KeptLimits {
  readonly set?: readonly SetValues[];
}

export const optionsOf = ({ options }: Pick<FullRun, "options">): KeptOptions =>
  options as unknown as KeptOptions;

export const setsOf = (run: Pick<FullRun, "options">): ReadonlyMap<string, StateData> =>
  new Map(optionsOf(run).set?.map(({ at, values }) => [at, values]));

/** Whoever waits for the run in this process. */
export interface Guest {
  readonly on?: ((event: RunEvent) => void) | undefined;
  readonly trace?: boolean | undefined;
}

export interface LegSettings {
  /** What is kept of a visit beside its result: `results` leaves out inputs and prompts. */
  readonly record: "full" | "results";
  /** Values are deleted when the run has ended. */
  readonly erase: boolean;
}

export interface LegWorld {
  readonly store: DurableStore;
  readonly graphs: GraphSource;
  readonly settings: LegSettings;
}

/** Why a leg is stopped: its lease is lost, its worker stops, or whoever waits for it does no longer. */
export type StopReason = "lost" | "let_go" | "cancel";

/** What became of a leg. `broken` is for the worker to give back. */
export type LegOutcome =
  | { readonly kind: "ended" | "waiting"; readonly result: Json }
  | { readonly kind: "lost" }
  | { readonly kind: "let_go" }
  | { readonly kind: "held"; readonly why: string; readonly error: Error | null }
  | { readonly kind: "broken"; readonly error: unknown };

/** The lease is lost: somebody else has the run, or it was cancelled. */
class Lost extends Error {}

/** The end of a wait, with who answered. */
const endOf = ({ answeredBy: by, endedAt }: WaitRow, ending: WaitEnding): WaitEnd =>
  ending.kind === "over" || endedAt === null ? ending : { ...ending, by, at: endedAt };

const NOTHING: KeptJournal = { steps: [], waits: [], events: [] };

/** Events of a call that takes long are written meanwhile. */
const FLUSH_MS = 200;

/** One claim of a run by one worker: its graph is driven until it ends, waits, or the lease is lost. */
export class Leg {
  readonly lease: Lease;
  readonly run: FullRun;
  readonly #world: LegWorld;
  readonly #isNew: boolean;
  readonly #guest: Guest;
  readonly #stop = new AbortController();
  readonly #began = performance.now();
  readonly #seen = new Set<string>();
  readonly #asked = new AskedWaits();
  #told = new ToldEvents([]);
  #flushed: Promise<void> = Promise.resolve();
  #reason: StopReason | null = null;
  #earlier = 0;
  #seq = 0;
  /** Calls at work, and records on their way. */
  #busy = 0;
  #isLeaving = false;
  #journal: Journal | null = null;
  #redact: ((text: string) => string) | null = null;

  constructor(world: LegWorld, { lease, run, isNew = false }: Claimed, guest: Guest = {}) {
    this.#world = world;
    this.#isNew = isNew;
    this.#guest = guest;
    this.lease = lease;
    this.run = run;
  }

  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#stop.abort();
  }

  /** Nodes at work are let finish and recorded; none is begun any more. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#busy === 0) this.stop("let_go");
  }

  /** Time at work until now, over all legs. */
  get worked(): number {
    return this.#earlier + performance.now() - this.#began;
  }

  async drive(): Promise<LegOutcome> {
    const flushing = setInterval(() => void this.#flush(), FLUSH_MS);
    flushing.unref();
    try {
      return await this.#drive();
    } catch (error) {
      if (error instanceof Lost || this.#reason === "lost") return { kind: "lost" };
      return this.#reason === "let_go" ? { kind: "let_go" } : { kind: "broken", error };
    } finally {
      clearInterval(flushing);
      this.#journal?.close();
    }
  }

  async #drive(): Promise<LegOutcome> {
    const { store, graphs } = this.#world;
    const { runId, epoch } = this.lease;
    const kept = this.#isNew ? NOTHING : await store.journal(runId, { events: epoch > 1 });
    const { steps, waits, events } = kept;
    const opened = await graphs.open(this.run);
    this.#told = new ToldEvents(events);
    this.#seq = steps.at(-1)?.seq ?? 0;
    this.#earlier = Math.max(this.run.worked, steps.at(-1)?.worked ?? 0);
    if ("held" in opened) return this.#held(opened);
    this.#redact = opened.options.redact ?? null;
    const ends = this.#endsOf(waits);
    return hasJournal(this.run) ? this.#replay(opened, steps, ends) : this.#goOn(opened, waits);
  }

  async #replay(
    opened: Runnable,
    steps: KeptJournal["steps"],
    ends: ReadonlyMap<string, WaitEnd>,
  ): Promise<LegOutcome> {
    const { settings } = this.#world;
    const journal = openJournal({
      steps,
      ends,
      record: (rows) => this.#record(rows),
      openWait: (id, wait) => this.#openWait(id, wait),
      keepsSeen: settings.record === "full",
      set: setsOf(this.run),
    });
    this.#journal = journal;
    const { ops } = journal;
    const atWork: Ops["step"] = (id, work, about) => ops.step(id, () => this.#atWork(work), about);
    const options = { ...this.#options(opened), ops: { ...ops, step: atWork } };
    const running = opened.graph.run(this.run.given, options);
    const result = await running.catch((thrown: unknown) => this.#refused(thrown));
    journal.close();
    return this.#end(result, opened.describe, this.#rows(journal.rest()));
  }

  /** Without a journal: after a death, all that followed the last wait is done again. */
  async #goOn(opened: Runnable, waits: readonly WaitRow[]): Promise<LegOutcome> {
    const checkpoint = checkpointOf(this.run);
    if (checkpoint === null) throw new Error("nothing is left that the run could go on from");
    const decided = await decideWaits(checkpoint, waits, (id, at) => this.#endWait(id, at));
    const { answers, answered } = answersIn(checkpoint, decided.waits);
    const options = { ...this.#options(opened), answered, waitsAt: decided.at };
    const result = await this.#count(() => opened.graph.resume(checkpoint, answers, options));
    return this.#end(result, opened.describe, []);
  }

  #options({ options }: Runnable): RunOptions {
    const { runId, deadline, userId, started, created } = this.run;
    const { maxSteps, timeoutMs } = optionsOf(this.run);
    // Whoever works on the run did not begin it.
    const { startedBy: _, ...shared } = options;
    return {
      ...shared,
      runId,
      startedAt: started ?? created,
      ...(userId === null ? {} : { startedBy: userId }),
      signal: this.#stop.signal,
      on: (event) => this.#hear(event),
      ...(this.#guest.trace === true ? { trace: true } : {}),
      ...(maxSteps === null ? {} : { maxSteps }),
      ...(deadline === null ? {} : { deadline }),
      ...(timeoutMs === null ? {} : { timeoutMs: Math.max(1, Math.ceil(timeoutMs - this.#earlier)) }),
    };
  }

  /** Given values that no run can begin with end it: they would be refused in every leg. */
  #refused(thrown: unknown): Result<StateData> {
    if (!(thrown instanceof InputError)) throw thrown;
    return this.#failed("bad_value", thrown.message);
  }

  /** Its deadline ends also a run whose graph cannot be opened here. */
  async #held({ held: why, error }: Held): Promise<LegOutcome> {
    const { deadline } = this.run;
    if (deadline === null || deadline > Date.now()) return { kind: "held", why, error: error ?? null };
    const result = this.#failed("run_timeout", "the run did not end before its deadline");
    return this.#end(result, (ended) => toWorkflowResult(ended, () => null) as unknown as Json, []);
  }

  /** A failure of a run of which nothing was driven. */
  #failed(code: "bad_value" | "run_timeout", message: string): Result<StateData> {
    const { runId, graph, given: state } = this.run;
    const about = { runId, graph, state, path: [], steps: 0, durationMs: 0, waiting: [] } as const;
    return { ...about, status: "failed", error: { code, message, graph, node: null } };
  }

  async #atWork(work: () => Promise<Json>): Promise<Json> {
    // After a death it is told what is at work, so that the next one has a name.
    if (this.run.recoveries > 0) await this.#flush();
    // Whoever leaves begins nothing: the leg is stopped as soon as the others have finished.
    if (this.#isLeaving) await new Promise<never>(() => {});
    return this.#count(work);
  }

  async #count<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      // The record follows in the same turn.
      if (this.#isLeaving) setImmediate(() => this.#busy === 0 && this.stop("let_go"));
    }
  }

  #hear(event: RunEvent): void {
    // The end is told when it is stored.
    if (event.type !== "run_end" && this.#told.take(event)) this.#guest.on?.(event);
  }

  #rows(steps: readonly NewStep[]): readonly StepRow[] {
    const worked = Math.round(this.worked);
    return steps.map(({ id, pure, node, visit, attempt, branch, began, ended, outcome, ...values }) => {
      const { result, writes, error } = values;
      const [seq, seen] = [++this.#seq, values.seen as unknown as Json];
      const about = { id, seq, pure, node, visit, attempt, branch, began, ended, outcome };
      return { ...about, result, seen, writes, error, worked };
    });
  }

  async #record(steps: readonly NewStep[]): Promise<void> {
    await this.#count(() => this.#write(this.#rows(steps), this.#told.flush()));
  }

  /** Resolves when what was told before is written. */
  #flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#flushNow());
    return this.#flushed;
  }

  async #flushNow(): Promise<void> {
    if (!this.#told.hasPending || this.#reason !== null) return;
    const events = this.#told.flush();
    // A failure shows with the next record.
    await this.#write([], events).catch(() => this.#told.putBack(events));
  }

  async #write(steps: readonly StepRow[], events: readonly NewEvent[]): Promise<void> {
    const record = { steps, events, token: randomUUID() };
    const kept = await insist(() => this.#world.store.record(this.lease, record));
    if (kept === "lost") throw this.#lost();
  }

  #lost(): Lost {
    this.stop("lost");
    return new Lost();
  }

  #endsOf(waits: readonly WaitRow[]): ReadonlyMap<string, WaitEnd> {
    const ends = new Map<string, WaitEnd>();
    for (const wait of waits)
      if (wait.ending !== null && !isGoneWait(wait)) ends.set(wait.id, endOf(wait, wait.ending));
    for (const id of ends.keys()) this.#seen.add(id);
    return ends;
  }

  async #openWait(id: string, opened: OpenedWait): Promise<WaitEnd> {
    const { store } = this.#world;
    const wait = newWait(opened, { id, seq: this.#seq, opened: Date.now() });
    let row = await insist(() => store.openWait(this.lease, wait));
    if (row !== null && row.ending === null && row.until !== null && row.until <= Date.now())
      row = await this.#endWait(id, Date.now());
    if (row === null) throw this.#lost();
    if (row.ending === null || isGoneWait(row)) {
      this.#asked.add(row);
      return { kind: "open", until: row.until };
    }
    this.#seen.add(id);
    return endOf(row, row.ending);
  }

  /** The row as it then is: an answer may have come before. */
  async #endWait(id: string, at: number): Promise<WaitRow> {
    const row = await insist(() => this.#world.store.endWait(this.lease, id, { kind: "over", at }));
    if (row === null) throw this.#lost();
    this.#seen.add(id);
    return row;
  }

  async #end(
    result: Result<StateData>,
    describe: Runnable["describe"],
    steps: readonly StepRow[],
  ): Promise<LegOutcome> {
    if (result.status === "cancelled" && this.#reason === "let_go") return { kind: "let_go" };
    const worked = Math.round(this.worked);
    const told = describe({ ...result, durationMs: this.worked });
    const end = { at: Date.now(), steps, result: told, worked };
    const kept =
      result.status === "suspended" ? await this.#suspend(end, result) : await this.#finish(end, result);
    if (!kept) return { kind: "lost" };
    return { kind: result.status === "suspended" ? "waiting" : "ended", result: told };
  }

  async #suspend(end: Omit<LegEnd, "events">, result: Suspended<StateData>): Promise<boolean> {
    const events = [...this.#told.flush(), waitEvent(result.waiting, this.#redact)];
    const own = hasJournal(this.run) ? this.#asked.of(result.waiting) : await this.#asleep(end, result);
    const suspension = { ...end, ...own, events, seen: this.#seen };
    return (await insist(() => this.#world.store.suspend(this.lease, suspension))) === "kept";
  }

  async #asleep(
    { result, at: now }: Omit<LegEnd, "events">,
    { checkpoint, waiting }: Suspended<StateData>,
  ): Promise<Pick<Suspension, "result" | "waits">> {
    const waits = await this.#world.store.waits(this.lease.runId);
    const known = { waits, seen: this.#seen, now };
    return {
      result: withCheckpoint(result, checkpoint),
      waits: changedWaits(checkpoint, waiting, known),
    };
  }

  async #finish(end: Omit<LegEnd, "events">, { status, error }: Result<StateData>): Promise<boolean> {
    const { store, settings } = this.#world;
    const finish = {
      ...end,
      status: status as "completed" | "failed" | "cancelled",
      errorCode: error?.code ?? null,
      events: [...this.#told.flush(), eventOf("run_end", { status })],
      erase: settings.erase,
    };
    return (await insist(() => store.finish(this.lease, finish))) === "kept";
  }
}
