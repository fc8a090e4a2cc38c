import { createHash } from "node:crypto";
import { Cron } from "croner";
import type { Overlap, ScheduleOptions } from "../../../compiler/types/schedule-options.js";
import type { ScheduleRow } from "../../durable/rows.js";
import type { DurableStore } from "../../durable/store.js";
import { NEVER } from "../../graph/values/times.js";

/** When something is to begin, as a sheet or the configuration says it. */
export interface Timetable {
  /** Five fields, or six with seconds. */
  readonly cron: string;
  readonly timezone: string;
}

/**
 * The first time after a moment, in milliseconds since 1970; null when none comes any more. What stands at a time that
 * summer time leaves out begins when the clock has moved; what stands at one that comes twice begins once.
 */
export function nextTime(timetable: Timetable, after: number): number | null {
  return cronOf(timetable).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last time up to a moment, and after `since`; null when there was none. */
export function lastTime(timetable: Timetable, since: number, now: number): number | null {
  let last = nextTime(timetable, since);
  if (last === null || last > now) return null;
  // Nothing comes after `none`. Times are whole seconds.
  for (let none = now; none - last >= 1_000; ) {
    const middle = Math.floor((last + none) / 2);
    const found = nextTime(timetable, middle);
    if (found !== null && found <= now) last = found;
    else none = middle;
  }
  return last;
}

const kept = new Map<string, Cron>();

function cronOf({ cron, timezone }: Timetable): Cron {
  const name = `${cron} ${timezone}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const options = { timezone, paused: true, mode: "5-or-6-parts", fixedTimeRule: "no-wildcard" } as const;
  const made = new Cron(cron, options);
  kept.set(name, made);
  return made;
}

export interface Schedule extends Timetable, Required<ScheduleOptions> {
  readonly name: string;
}

export interface SchedulerWorld<S extends Schedule> {
  readonly store: Pick<DurableStore, "schedules" | "addSchedule" | "advance" | "forgetSchedule">;
  readonly now: number;
  /** When this worker began to look. */
  readonly since: number;
  /** Begins a run. The same key once more begins nothing. */
  readonly start: (schedule: S, key: string) => Promise<void>;
  /** Whether one of its runs has not ended. */
  readonly isOpen: (schedule: S) => Promise<boolean>;
  /** Of a schedule whose run could not be begun: it is tried again. */
  readonly failed: (schedule: S, error: unknown) => void;
}

/** A time that is found so late is a missed one. */
const LATE_MS = 10_000;
/** So many missed times are made up for at once. */
const MOST = 100;
/** A definition is forgotten when a worker with another one has looked for so long, and its time is over for so long. */
const REPLACED_MS = 3_600_000;

/**
 * Begins what is due. Any number of workers may look at the same time: the key of a run has its time, so all of them
 * begin one run, and the time is moved on after that. Workers may have different definitions of one schedule, as while
 * a new one is rolled out: each definition has a row of its own, so none moves the time of another.
 */
export async function fireDue<S extends Schedule>(
  schedules: readonly S[],
  world: SchedulerWorld<S>,
): Promise<void> {
  const rows = await world.store.schedules();
  for (const schedule of schedules) {
    try {
      const named = rows.filter(({ name }) => name === schedule.name);
      await fire(schedule, named, world);
    } catch (error) {
      world.failed(schedule, error);
    }
  }
}

async function fire<S extends Schedule>(
  schedule: S,
  named: readonly ScheduleRow[],
  { store, now, since, start, isOpen }: SchedulerWorld<S>,
): Promise<void> {
  const { name } = schedule;
  const fingerprint = fingerprintOf(schedule);
  const row = named.find((one) => one.fingerprint === fingerprint);
  const replaced = now - since < REPLACED_MS ? [] : named.filter((one) => one !== row && isOver(one, now));
  // A definition that comes back later begins anew.
  for (const one of replaced) await store.forgetSchedule(one);
  const next = nextTime(schedule, now) ?? NEVER;
  // Nothing was missed of what is new.
  if (row === undefined)
    return store.addSchedule({ name, fingerprint, next, paused: named.some(({ paused }) => paused) });
  if (row.paused) return;
  if (row.next > now) {
    // The clock was set back: without this the schedule would rest until the old time comes again.
    if (row.next > next) await store.advance(row, next);
    return;
  }
  const { overlap } = schedule;
  const isBusy = overlap !== "allow" && (await isOpen(schedule));
  // The time stays due.
  if (isBusy && overlap === "queue") return;
  const due = dueTimes(schedule, row.next, now);
  const times = isBusy ? [] : alone(due, overlap);
  for (const time of times) await start(schedule, keyOf(name, time));
  const isWhole = overlap === "queue" ? due.length < 2 : due.length < MOST;
  await store.advance(row, isWhole ? next : (nextTime(schedule, times.at(-1) ?? now) ?? NEVER));
}

/** The times of which none overlaps with another. */
function alone(due: readonly number[], overlap: Overlap): readonly number[] {
  if (overlap === "allow") return due;
  return overlap === "skip" ? due.slice(-1) : due.slice(0, 1);
}

/** Whoever looks with a definition moves its time on within seconds, unless it is queued behind an open run. */
const isOver = ({ next, paused }: ScheduleRow, now: number): boolean => !paused && next < now - REPLACED_MS;

function dueTimes(schedule: Schedule, first: number, now: number): readonly number[] {
  if (schedule.catchUp !== "all") {
    const last = lastTime(schedule, first - 1, now);
    return last === null || (schedule.catchUp === "none" && now - last > LATE_MS) ? [] : [last];
  }
  const times: number[] = [];
  let time: number | null = nextTime(schedule, first - 1);
  for (; time !== null && time <= now && times.length < MOST; time = nextTime(schedule, time))
    times.push(time);
  return times;
}

/** `schedule:nightly:2027-01-31T02:00:00Z`. */
export const keyOf = (name: string, time: number): string =>
  `schedule:${name}:${new Date(time).toISOString().replace(/\.\d{3}/, "")}`;

const fingerprintOf = ({ cron, timezone }: Timetable): string =>
  createHash("sha256")
    .update(JSON.stringify([cron, timezone]))
    .digest("hex");
