const DEPTH = 64;

/**
 * A copy of a value for a trace, without secrets in its texts and names. Objects that are no plain data are not
 * copied. Cost: linear in the size.
 */
export function redactData(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null || depth > DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => redactData(item, redact, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && Object.keys(value).length === 0) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    redact(key),
    redactData(one, redact, depth + 1),
  ]);
  return Object.fromEntries(entries) as unknown;
}
