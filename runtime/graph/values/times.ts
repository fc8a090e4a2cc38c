/** The last time that a `Date` can hold: what never comes is due then. Later ones are no times, nor safe as numbers. */
export const NEVER = 8_640_000_000_000_000;

/** A whole number, as stores keep times. It is never too early. */
export const timeAfter = (time: number, ms: number): number => Math.min(Math.ceil(time + ms), NEVER);

/** Null for what never comes. */
export const isoOf = (time: number | null): string | null =>
  time === null || time >= NEVER ? null : new Date(time).toISOString();
