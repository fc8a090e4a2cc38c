import type {
  Json,
  Ops,
  StateData,
  StepAbout,
  StepResult,
  WaitEnd,
  WaitingFor,
  WaitSpec,
} from "../../graph/contract/contract.js";
import { cutSeen, type KeptSeen } from "./cut-seen.js";
import { Replay } from "./replay.js";

/** A step as the journal needs it again. */
export interface KeptStep {
  readonly id: string;
  /** Null for a pure visit. */
  readonly result: Json;
  readonly ended: number;
  /** It is only shown. Its agent is called again, and what follows is not read from it. */
  readonly pure: boolean;
}

/** A step as it is recorded. */
export interface NewStep extends KeptStep {
  /** The whole name: `Call/Ask`, `Each[2]/Ask`. */
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
  readonly key: string;
  readonly branch: readonly number[];
  readonly began: number;
  readonly outcome: StepResult["outcome"];
  /** Null when it is not kept. */
  readonly seen: KeptSeen | null;
  readonly writes: StateData | null;
  readonly error: string | null;
}

export interface JournalOptions {
  /** The recorded steps of the run, in the order of the record. */
  readonly steps: readonly KeptStep[];
  /** The waits that have ended, by their ids. */
  readonly ends: ReadonlyMap<string, WaitEnd>;
  /** Keeps all of the steps or none, or rejects, which ends the leg. The call itself is the last of them. */
  readonly record: (steps: readonly NewStep[]) => Promise<void>;
  /** Opens a wait, or gives what has become of it. */
  readonly openWait: (id: string, wait: OpenedWait) => Promise<WaitEnd>;
  /** What is set in front of a visit, by the id of its first call. */
  readonly set?: ReadonlyMap<string, StateData>;
  /** False: inputs, prompts and writes are not kept. */
  readonly keepsSeen?: boolean;
  readonly now?: () => number;
}

export interface OpenedWait {
  readonly waiting: WaitingFor;
  readonly timeoutMs: number | null;
  /** Answers are checked against it. */
  readonly spec: WaitSpec;
}

/** The journal of one leg of a run. */
export interface Journal {
  readonly ops: Ops;
  /** Visits of pure agents that no record has taken yet. They are written when the leg ends. */
  rest(): readonly NewStep[];
  /** The leg is over: what still works is not recorded. */
  close(): void;
}

/** Replays what is recorded in the order of the record, and records what is new. */
export function openJournal(options: JournalOptions): Journal {
  const leg = new Leg(options);
  return {
    ops: {
      step: (id, work, about) => leg.step(id, work, about),
      wait: (id, waiting, timeoutMs, spec) => leg.wait(id, { waiting, timeoutMs, spec }),
      sleep: (id, ms) => leg.sleep(id, ms),
      known: (id) => leg.known.get(id)?.result,
      told: (id, about) => leg.told(id, about),
      set: (id) => options.set?.get(id),
    },
    rest: () => leg.takeTold(),
    close: () => leg.close(),
  };
}

interface Known extends KeptStep {
  readonly seq: number;
}

/** Waits have no number in the record. One that has ended is answered before all steps. */
const FIRST = -1;

class Leg {
  readonly known: ReadonlyMap<string, Known>;
  private readonly options: JournalOptions;
  private readonly replay: Replay;
  private readonly now: () => number;
  /** Ids of pure visits that are kept, or wait for the next record. */
  private readonly shown: Set<string>;
  private pure: NewStep[] = [];
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private isOver = false;

  constructor(options: JournalOptions) {
    const { steps, now = Date.now } = options;
    this.options = options;
    this.now = now;
    const known = steps.map((step, seq) => ({ ...step, seq })).filter(({ pure }) => !pure);
    this.known = new Map(known.map((step) => [step.id, step]));
    this.shown = new Set(steps.filter(({ pure }) => pure).map(({ id }) => id));
    this.replay = new Replay(known.map(({ seq }) => seq));
  }

  async step(id: string, work: () => Promise<Json>, about: StepAbout): Promise<Json> {
    this.checkOpen();
    const known = this.known.get(id);
    if (known !== undefined) return this.replay.give(known.seq, known.result);
    await this.replay.ended();
    const began = this.now();
    const result = await work();
    this.checkOpen();
    const step = this.describe(about, { id, result, began, pure: false });
    await this.options.record([...this.takeTold(), step]);
    return result;
  }

  async wait(id: string, wait: OpenedWait): Promise<WaitEnd> {
    this.checkOpen();
    const end = this.options.ends.get(id);
    if (end !== undefined) return this.replay.answer(FIRST, end);
    await this.replay.ended();
    this.checkOpen();
    return this.options.openWait(id, wait);
  }

  async sleep(id: string, ms: number): Promise<void> {
    // When the clock was set back, the pause is no longer for it.
    const left = Math.min(ms, (this.endOf(id) ?? this.now()) + ms - this.now());
    if (left <= 0 || this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        resolve();
      }, left);
      this.timers.add(timer);
    });
  }

  /** When a recorded call ended. For a sub-graph: the last call inside. */
  private endOf(id: string): number | undefined {
    const own = this.known.get(id);
    if (own !== undefined || this.known.size === 0) return own?.ended;
    let last: number | undefined;
    for (const [other, { ended }] of this.known) {
      if (other.startsWith(id) && /[/[]/.test(other.charAt(id.length))) last = ended;
    }
    return last;
  }

  told(id: string, about: StepAbout): void {
    if (this.isOver || this.shown.has(id)) return;
    this.shown.add(id);
    this.pure.push(this.describe(about, { id, result: null, began: about.began, pure: true }));
  }

  takeTold(): readonly NewStep[] {
    const { pure } = this;
    this.pure = [];
    return pure;
  }

  close(): void {
    this.isOver = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private describe(about: StepAbout, own: Pick<NewStep, "id" | "result" | "began" | "pure">): NewStep {
    const { id, result, began, pure } = own;
    const { node, visit, attempt, key, branch } = about;
    const { outcome, writes: written, error } = about.became();
    const keeps = this.options.keepsSeen !== false;
    const [seen, writes] = keeps ? [cutSeen(about.seen()), written] : [null, null];
    const ended = this.now();
    // One literal: this is done for each visit, and copies by spreading cost more than all else here.
    return {
      id,
      result,
      began,
      pure,
      ended,
      node,
      visit,
      attempt,
      key,
      branch,
      outcome,
      error,
      seen,
      writes,
    };
  }

  private checkOpen(): void {
    if (this.isOver) throw new Error("this leg of the run is over");
  }
}
