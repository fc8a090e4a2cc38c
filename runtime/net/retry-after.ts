/** The time that the header `Retry-After` names, in milliseconds from now: seconds, or a date. */
export function retryAfter(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d{1,9}$/.test(written.trim())) return Number(written) * 1_000;
  const time = Date.parse(written);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
