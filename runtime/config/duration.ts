const UNITS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `30d`, `2h`, `90s` or `500ms`; null for any other text. */
export function readDuration(text: string): number | null {
  const [, amount = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = UNITS[unit];
  return ms === undefined ? null : Math.round(Number(amount) * ms);
}
