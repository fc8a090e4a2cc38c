import { refuse, shown } from "./refuse.js";

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** What stands after the date: nothing, or a time. */
  readonly rest: string;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})((?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)$/;

/** The date of an ISO text, with what follows it. */
export function dateOf(name: string, text: string): Day {
  const [, year, month, day, rest = ""] = DATE.exec(text.trim()) ?? [];
  const found = { year: Number(year), month: Number(month), day: Number(day), rest };
  const isDay = found.month >= 1 && found.month <= 12 && found.day >= 1 && found.day <= lengthOf(found);
  return isDay ? found : refuse(`${name} finds no date in ${shown(text)}: write it as 2026-11-22`);
}

const lengthOf = ({ year, month }: Pick<Day, "year" | "month">): number => {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

const DAY_MS = 86_400_000;

/** Days since 1970, with no clock's time and no time zone. */
function dayNumber({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / DAY_MS);
}

function isoText(year: number, month: number, day: number, rest: string): string {
  if (!(year >= 1 && year <= 9999)) return refuse("DATEADD leaves the years 1 to 9999");
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}${rest}`;
}

const unitOf = (name: string, unit: string): string => {
  const known = unit.toUpperCase();
  return known === "D" || known === "M" || known === "Y"
    ? known
    : refuse(`${name} knows "D", "M" and "Y", not ${shown(unit)}`);
};

export function dateAdd(text: string, count: number, unit: string): string {
  const from = dateOf("DATEADD", text);
  const known = unitOf("DATEADD", unit);
  const whole = Math.trunc(count);
  if (known === "D") return daysLater(from, whole);
  const months = from.year * 12 + from.month - 1 + (known === "Y" ? whole * 12 : whole);
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  return isoText(year, month, Math.min(from.day, lengthOf({ year, month })), from.rest);
}

function daysLater(from: Day, count: number): string {
  const date = new Date((dayNumber(from) + count) * DAY_MS);
  if (Number.isNaN(date.getTime())) return refuse("DATEADD leaves the years 1 to 9999");
  return isoText(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), from.rest);
}

export function dateDif(start: string, end: string, unit: string): number {
  const [from, to] = [dateOf("DATEDIF", start), dateOf("DATEDIF", end)];
  const known = unitOf("DATEDIF", unit);
  const days = dayNumber(to) - dayNumber(from);
  if (days < 0) return refuse(`DATEDIF ends before it starts: ${shown(start)} to ${shown(end)}`);
  if (known === "D") return days;
  const months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0);
  return known === "M" ? months : Math.floor(months / 12);
}
