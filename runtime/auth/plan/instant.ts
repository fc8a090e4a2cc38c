/** A date, or a date and time, in ISO 8601; a calendar check follows. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?)?$/;

/**
 * Reads an ISO 8601 date and time as milliseconds; null for anything else, also for days that no calendar has.
 * Without an offset it is UTC: the meaning of a file must not depend on the machine that reads it.
 */
export function parseInstant(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const number = (index: number): number => Number(match[index] ?? "0");
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  const [offsetHour, offsetMinute] = [number(10), number(11)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const milliseconds = Math.floor(Number(`0.${match[7] ?? "0"}`) * 1000);
  const offset = (match[9] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  const date = new Date(0);
  // Date.UTC takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  return date.getTime() - offset;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
