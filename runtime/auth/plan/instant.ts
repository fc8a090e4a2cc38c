const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)(?:[Zz]|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?)?$/;

/**
 * Reads an ISO 8601 date and time as milliseconds; null for other text and for impossible days. Without an offset it
 * is UTC, so that a file means the same on every machine.
 */
export function parseInstant(text: string): number | null {
  const [, day, time = "00:00", hours = "+00", minutes = "00"] = ISO.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00Z`);
  if (day === undefined || Number.isNaN(midnight.getTime())) return null;
  // V8 reads February 30 as March 2.
  if (!midnight.toISOString().startsWith(day)) return null;
  return Date.parse(`${day}T${time.replace(",", ".")}${hours}:${minutes}`);
}
