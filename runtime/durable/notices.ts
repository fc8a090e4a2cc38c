import type { Json, Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import { isoOf, timeAfter } from "../graph/values/times.js";
import { isMapping } from "../graph/values/values.js";
import { eventOf } from "./legs/told-events.js";
import type { WaitRow } from "./rows.js";
import type { DueNotice, DurableStore } from "./store.js";
import { isOfStore } from "./store-error.js";

/** What the agent that reminds is told. */
export interface Reminder {
  readonly runId: string;
  readonly graph: string;
  /** The whole name, such as `Each[2]/Ask`. */
  readonly node: string;
  readonly visit: number;
  readonly prompt: string;
  /** When the wait ends by itself, as ISO text. */
  readonly until: string | null;
  /** The same each time that this reminder is given. */
  readonly key: string;
}

export interface NoticesWorld {
  readonly store: Pick<DurableStore, "dueNotices" | "notice" | "openWaits">;
  /** Null: reminders are events alone. */
  readonly remind: ((reminder: Reminder, signal: AbortSignal) => Promise<void>) | null;
  readonly redact: (text: string) => string;
  readonly log: Pick<Logger, "warn">;
  readonly lookMs: number;
}

/** So many agents remind at a time. */
const MOST = 10;
/** An agent that reminds may take so long. */
export const REMIND_MS = 60_000;
/** A reminder that was not finished by then is given again: whoever gave it has died. */
const TAKEN_MS = 1.5 * REMIND_MS;

/** Reminds of open questions, for one worker. */
export class Notices {
  readonly #world: NoticesWorld;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  readonly #going = new Set<Promise<void>>();
  #looking: Promise<void> | null = null;

  constructor(world: NoticesWorld) {
    this.#world = world;
    this.#timer = setInterval(() => void this.look(), world.lookMs);
    this.#timer.unref();
    void this.look();
  }

  /** Resolves when what is due was begun. */
  look(): Promise<void> {
    this.#looking ??= this.#give()
      .catch((error: unknown) => this.#tell("reminders come later", error))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** Resolves when nothing that is due has still to be given. */
  async settled(): Promise<void> {
    await this.look();
    await Promise.all(this.#going);
  }

  /** What is not finished after the time of grace is given again by another worker. */
  async stop(graceMs: number): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    const timer = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.all(this.#going);
    clearTimeout(timer);
  }

  async #give(): Promise<void> {
    const room = MOST - this.#going.size;
    if (room <= 0 || this.#stop.signal.aborted) return;
    for (const due of await this.#world.store.dueNotices(Date.now(), room)) {
      const reminding = isDue(due.wait.escalateAt) ? await this.#escalate(due) : await this.#take(due);
      if (reminding === null) continue;
      const going = this.#remind(due, reminding).finally(() => this.#going.delete(going));
      this.#going.add(going);
    }
  }

  /** More people may answer from now on. A reminder that is due as well is given at the next look. */
  async #escalate(due: DueNotice): Promise<null> {
    const { run, wait } = due;
    const { escalate, ...rest } = aboutOf(wait);
    const added = namesIn(escalate);
    const all = [...new Set([...namesIn(rest), ...added])];
    // Whom nobody named before may answer already.
    const about = rest["assignees"] === undefined ? rest : { ...rest, assignees: all };
    const told = { ...this.#shown(run.runId, run.graph, wait), assignee: added };
    const events = [eventOf("run_escalated", told)];
    await this.#world.store.notice(due, { remindAt: wait.remindAt, escalateAt: null, about, events });
    return null;
  }

  /** Null when another worker was faster, or when nobody need be called. */
  async #take(due: DueNotice): Promise<Reminding | null> {
    const { run, wait } = due;
    const now = Date.now();
    const { remindAt, escalateAt, until } = wait;
    if (!isDue(remindAt) || isDue(until)) return null;
    const taken = numberIn(wait.about);
    const number = taken ?? Math.max(1, Math.floor((now - wait.opened) / periodOf(wait)));
    const isAlone = this.#world.remind === null;
    const kept = await this.#world.store.notice(due, {
      remindAt: isAlone ? nextOf(wait, now) : now + TAKEN_MS,
      escalateAt,
      about: isAlone ? wait.about : { ...aboutOf(wait), [REMINDING]: number },
      // A reminder that is given again was told before.
      events: taken === null ? [eventOf("run_reminder", this.#shown(run.runId, run.graph, wait))] : [],
    });
    return kept && !isAlone ? { number, until: now + TAKEN_MS } : null;
  }

  #shown(runId: string, graph: string, wait: WaitRow): { readonly [name: string]: Json } {
    const { node, prompt } = wait.waiting;
    return { run_id: runId, graph, node, prompt: this.#world.redact(prompt), until: isoOf(wait.until) };
  }

  /** Nothing of it can make the run fail. */
  async #remind({ run, wait }: DueNotice, { number, until }: Reminding): Promise<void> {
    const { runId, graph } = run;
    const { node, prompt } = wait.waiting;
    const visit = visitOf(wait.id);
    const key = `${runId}/${node}/${visit}/remind/${number}`;
    const reminder = { runId, graph, node, visit, prompt, until: isoOf(wait.until), key };
    try {
      await this.#world.remind?.(reminder, this.#stop.signal);
    } catch (error) {
      // Another worker gives it again.
      if (this.#stop.signal.aborted) return;
      this.#tell(`nobody was reminded of ${JSON.stringify(node)} of the run ${runId}`, error);
    }
    await this.#finish(run, wait.id, until).catch((error: unknown) =>
      this.#tell("reminders come later", error),
    );
  }

  /** The row may have changed meanwhile: the wait has ended, or more people may answer. */
  async #finish(run: DueNotice["run"], id: string, takenUntil: number): Promise<void> {
    for (;;) {
      const open = (await this.#world.store.openWaits([run.runId])).get(run.runId);
      const wait = open?.find((one) => one.id === id);
      if (wait === undefined || wait.remindAt !== takenUntil) return;
      const { [REMINDING]: _given, ...rest } = aboutOf(wait);
      const about = Object.keys(rest).length === 0 ? null : rest;
      const next = { remindAt: nextOf(wait, Date.now()), escalateAt: wait.escalateAt, about, events: [] };
      if (await this.#world.store.notice({ run, wait }, next)) return;
    }
  }

  #tell(what: string, error: unknown): void {
    if (!isOfStore(error)) this.#world.log.warn(`${what}: ${messageOf(error)}`);
  }
}

/** The number of the period, and how long the reminder is nobody else's. */
interface Reminding {
  readonly number: number;
  readonly until: number;
}

/** The reminder that a worker is giving, among the settings of a wait. */
const REMINDING = "reminding";

const aboutOf = ({ about }: WaitRow): { readonly [name: string]: Json } =>
  isMapping(about) ? (about as { readonly [name: string]: Json }) : {};

const isDue = (time: number | null): boolean => time !== null && time <= Date.now();

/** The people of a setting that names some. */
function namesIn(setting: Json | undefined): readonly string[] {
  const names = isMapping(setting) ? setting["assignees"] : null;
  return Array.isArray(names) ? names.map(String) : [];
}

function numberIn(about: Json): number | null {
  const number = isMapping(about) ? about[REMINDING] : null;
  return typeof number === "number" ? number : null;
}

const periodOf = ({ spec }: WaitRow): number => spec.remindMs ?? REMIND_MS;

/** Periods are counted from the question, and those that nobody saw are left out. */
const nextOf = (wait: WaitRow, now: number): number => {
  const period = periodOf(wait);
  return timeAfter(wait.opened, (Math.floor(Math.max(0, now - wait.opened) / period) + 1) * period);
};

/** Ids end with the visit, and the call when it is not the first. */
const visitOf = (id: string): number => Number(/\|(\d+)(?:\|\d+)?$/.exec(id)?.[1] ?? 1);
