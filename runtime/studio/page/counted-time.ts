import { signal } from "@preact/signals";

/** What is said of times that pass is said again so often. */
const TICK_MS = 15_000;
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

type Unit = "minute" | "hour" | "day";

const UNITS: readonly (readonly [Unit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** How long something lasts until now. */
export const since = (time: number): string => lasting(Math.max(now.value, Date.now()) - time);

/** A time that has passed, in its largest unit: `2 hours`. */
export function lasting(ms: number): string {
  const found = UNITS.find(([, one]) => ms >= one);
  if (found === undefined) return "less than a minute";
  const [unit, length] = found;
  const format = new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.floor(ms / length));
}

/** A time of work: `1.2 s`. */
export function working(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : lasting(ms);
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** `02:14`, and the day when it is another one: `21 Nov 02:14`. */
export function clock(time: number): string {
  const [at, today] = [new Date(time), new Date(now.value)];
  return at.toDateString() === today.toDateString()
    ? CLOCK.format(at)
    : `${DAY.format(at)} ${CLOCK.format(at)}`;
}

/** Null for no time. */
export const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);
