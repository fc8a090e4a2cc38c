/** What becomes of times at which nobody was at work. */
export type CatchUp = (typeof CATCH_UPS)[number];
export const CATCH_UPS = ["last", "none", "all"] as const;

/** What becomes of a time at which a run of the schedule is still open. */
export type Overlap = (typeof OVERLAPS)[number];
export const OVERLAPS = ["allow", "skip", "queue"] as const;

/** Other words for `catch_up`. */
export const MISSED = ["once", "skip"] as const;

/** What is not said is `last` and `allow`. */
export interface ScheduleOptions {
  readonly catchUp?: CatchUp;
  readonly overlap?: Overlap;
}

export const SCHEDULE_DEFAULTS = { catchUp: "last", overlap: "allow" } as const satisfies ScheduleOptions;

interface Written {
  readonly catch_up?: unknown;
  readonly missed?: unknown;
  readonly overlap?: unknown;
}

/** As a sheet or the configuration writes them. What is none of the words is left out. */
export function scheduleOptions({ catch_up, missed, overlap }: Written): ScheduleOptions {
  const meant = { once: "last", skip: "none" } as const;
  const catchUp =
    wordOf(CATCH_UPS, catch_up) ?? (missed === "once" || missed === "skip" ? meant[missed] : null);
  const found = wordOf(OVERLAPS, overlap);
  return { ...(catchUp === null ? {} : { catchUp }), ...(found === null ? {} : { overlap: found }) };
}

const wordOf = <W extends string>(words: readonly W[], value: unknown): W | null =>
  words.find((word) => word === value) ?? null;
