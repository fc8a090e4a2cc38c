/** What is wrong with a cron expression, as the end of "it must be"; null when nothing is. */
export function cronFault(text: string): string | null {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6)
    return "five fields (minute hour day month weekday), or six with seconds first";
  const fields = FIELDS.slice(FIELDS.length - parts.length);
  const at = fields.findIndex((field, n) => !isField(parts[n] ?? "", field));
  const wrong = fields[at];
  if (wrong !== undefined)
    return `a time whose ${wrong.name} is *, a number ${wrong.least} to ${wrong.most}, a range, a step or a list of these`;
  const [days = "", months = "", weekdays = ""] = parts.slice(-3);
  return weekdays === "*" && !comes(days, months) ? "a date that comes" : null;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Words for numbers, counted from `least`. */
  readonly words?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const DAY: Field = { name: "day", least: 1, most: 31 };
const MONTH: Field = { name: "month", least: 1, most: 12, words: MONTHS };
const FIELDS: readonly Field[] = [
  { name: "second", least: 0, most: 59 },
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  DAY,
  MONTH,
  // Both 0 and 7 are Sunday.
  { name: "weekday", least: 0, most: 7, words: WEEKDAYS },
];

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

const isField = (text: string, field: Field): boolean =>
  text.split(",").every((part) => readPart(part, field) !== null);

/** `*`, `5`, `1-5`, each with `/2` behind it where it is more than one number. */
function readPart(text: string, field: Field): Stretch | null {
  const [, body = "", steps] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  const step = steps === undefined ? 1 : Number(steps);
  if (body === "" || step < 1 || step > field.most) return null;
  if (body === "*") return { from: field.least, to: field.most, step };
  const [first = "", last, more] = body.split("-");
  const from = readNumber(first, field);
  const to = last === undefined ? from : readNumber(last, field);
  if (from === null || to === null || from > to || more !== undefined) return null;
  return last === undefined && steps !== undefined ? null : { from, to, step };
}

function readNumber(text: string, { least, most, words = [] }: Field): number | null {
  const word = words.indexOf(text.toUpperCase());
  if (word >= 0) return word + least;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : null;
}

/** False for February 30 and the like. */
function comes(days: string, months: string): boolean {
  const earliest = Math.min(...days.split(",").map((part) => readPart(part, DAY)?.from ?? DAY.most));
  const stretches = months.split(",").flatMap((part) => readPart(part, MONTH) ?? []);
  return stretches.some(({ from, to, step }) => {
    for (let month = from; month <= to; month += step) if (earliest <= daysIn(month)) return true;
    return false;
  });
}

const daysIn = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31);
