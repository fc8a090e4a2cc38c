import type {
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
import type { FullRun, Lease, StepRow, WaitRow } from "../rows.js";
import { answersIn, changedWaits, checkpointOf, decideWaits, hasJournal, withCheckpoint } from "./asleep.js";
import { type Journal, openJournal } from "./journal.js";
import { optionsOf, setsOf } from "./kept-options.js";
import type { Claimed, KeptJournal, LegEnd, Suspension } from "./leg-store.js";
import { LegWaits } from "./leg-waits.js";
import type { Guest, Held, LegOutcome, LegWorld, Runnable, StopReason } from "./leg-world.js";
import { LegWriter, Lost } from "./leg-writer.js";
import { eventOf, waitEvent } from "./told-events.js";

const NOTHING: KeptJournal = { steps: [], waits: [], events: [] };

/** Nobody had the run before, so there is no journal to read. A fork begins with that of another. */
const isFirst = ({ epoch }: Lease, run: FullRun): boolean =>
  epoch === 1 && run.parent === null && hasJournal(run);

/** Events of a call that takes long are written meanwhile. */
const FLUSH_MS = 200;

/** One claim of a run by one worker: its graph is driven until it ends, waits, or the lease is lost. */
export class Leg {
  readonly lease: Lease;
  readonly run: FullRun;
  readonly #world: LegWorld;
  readonly #guest: Guest;
  readonly #stop = new AbortController();
  readonly #began = performance.now();
  readonly #writer: LegWriter;
  readonly #waits: LegWaits;
  #reason: StopReason | null = null;
  #earlier = 0;
  /** Calls at work, and records on their way. */
  #busy = 0;
  #isLeaving = false;
  #journal: Journal | null = null;
  #redact: ((text: string) => string) | null = null;

  constructor(world: LegWorld, { lease, run }: Claimed, guest: Guest = {}) {
    this.#world = world;
    this.#guest = guest;
    this.lease = lease;
    this.run = run;
    const under = { store: world.store, lease, lost: () => this.#lost() };
    const isStopped = (): boolean => this.#reason !== null;
    this.#writer = new LegWriter({ ...under, isStopped, worked: () => this.worked });
    this.#waits = new LegWaits(under);
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
    const flushing = setInterval(() => void this.#writer.flush(), FLUSH_MS);
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
    const kept = isFirst(this.lease, this.run) ? NOTHING : await store.journal(runId, { events: epoch > 1 });
    const { steps, waits } = kept;
    const opened = await graphs.open(this.run);
    this.#writer.follow(kept);
    this.#earlier = Math.max(this.run.worked, steps.at(-1)?.worked ?? 0);
    if ("held" in opened) return this.#held(opened);
    this.#redact = opened.options.redact ?? null;
    const ends = this.#waits.endsOf(waits);
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
      record: (rows) => this.#count(() => this.#writer.record(rows)),
      openWait: (id, wait) => this.#waits.open(id, wait, this.#writer.seq),
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
    return this.#end(result, opened.describe, this.#writer.rows(journal.rest()));
  }

  /** Without a journal: after a death, all that followed the last wait is done again. */
  async #goOn(opened: Runnable, waits: readonly WaitRow[]): Promise<LegOutcome> {
    const checkpoint = checkpointOf(this.run);
    if (checkpoint === null) throw new Error("nothing is left that the run could go on from");
    const decided = await decideWaits(checkpoint, waits, (id, at) => this.#waits.end(id, at));
    const { answers, answered } = answersIn(checkpoint, decided.waits);
    const options = { ...this.#options(opened), answered, waitsAt: decided.at };
    const result = await this.#count(() => opened.graph.resume(checkpoint, answers, options));
    return this.#end(result, opened.describe, []);
  }

  #options({ options, placeOf }: Runnable): RunOptions {
    const { runId, deadline, userId, started, created } = this.run;
    const { maxSteps, timeoutMs, carrier } = optionsOf(this.run);
    // Whoever works on the run did not begin it.
    const { startedBy: _, observer, ...shared } = options;
    const isLater = !isFirst(this.lease, this.run);
    return {
      ...shared,
      ...(observer && { observer: observer.from?.({ carrier, isKept: true, isLater, placeOf }) ?? observer }),
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
    if (this.run.recoveries > 0) await this.#writer.flush();
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
    if (event.type !== "run_end" && this.#writer.hear(event)) this.#guest.on?.(event);
  }

  #lost(): Lost {
    this.stop("lost");
    return new Lost();
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
    const events = [...this.#writer.take(), waitEvent(result.waiting, this.#redact)];
    const own = hasJournal(this.run) ? this.#waits.askedBy(result.waiting) : await this.#asleep(end, result);
    const suspension = { ...end, ...own, events, seen: this.#waits.seen };
    return (await insist(() => this.#world.store.suspend(this.lease, suspension))) === "kept";
  }

  async #asleep(
    { result, at: now }: Omit<LegEnd, "events">,
    { checkpoint, waiting }: Suspended<StateData>,
  ): Promise<Pick<Suspension, "result" | "waits">> {
    const waits = await this.#world.store.waits(this.lease.runId);
    const known = { waits, seen: this.#waits.seen, now };
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
      events: [...this.#writer.take(), eventOf("run_end", { status })],
      erase: settings.erase,
    };
    return (await insist(() => store.finish(this.lease, finish))) === "kept";
  }
}
