/**
 * A number that is written as in German, with the point that is needed: `1000.50` for `1.000,50`. Null for any other
 * text, also for `1,500`: with three digits behind it alone, a comma may stand for thousands.
 */
export function pointed(text: string): string | null {
  if (text.length > 40) return null;
  const [, number, fraction = ""] = /^\s*([+-]?\d{1,3}(?:\.?\d{3})*),(\d+)\s*$/.exec(text) ?? [];
  if (number === undefined || (fraction.length === 3 && !number.includes("."))) return null;
  return `${number.replaceAll(".", "")}.${fraction}`;
}
