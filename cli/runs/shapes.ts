/** Null when a value fits; else the place of what does not. */
export type Check = (value: unknown, at: string) => string | null;

const when =
  (fits: (value: unknown) => boolean): Check =>
  (value, at) =>
    fits(value) ? null : at;

export const text = when((value) => typeof value === "string");
export const number = when((value) => typeof value === "number");
/** As milliseconds. A `Date` holds no others, so a list with such a run could not be shown. */
export const time = when((value) => typeof value === "number" && Math.abs(value) <= 8_640_000_000_000_000);
export const count = when((value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const flag = when((value) => typeof value === "boolean");
/** Anything that is there. */
export const json = when((value) => value !== undefined);
export const object = when(isObject);
export const matching = (pattern: RegExp): Check =>
  when((value) => typeof value === "string" && pattern.test(value));
export const oneOf = (words: readonly string[]): Check =>
  when((value) => typeof value === "string" && words.includes(value));

export const orNull =
  (check: Check): Check =>
  (value, at) =>
    value === null ? null : check(value, at);

export const list =
  (check: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? first(value, (one, i) => check(one, `${at}[${i}]`)) : at;

/** An object with at least these keys. */
export const shape =
  (checks: { readonly [key: string]: Check }): Check =>
  (value, at) =>
    isObject(value)
      ? first(Object.entries(checks), ([key, check]) => check(value[key], at === "" ? key : `${at}.${key}`))
      : at;

export const all =
  (...checks: readonly Check[]): Check =>
  (value, at) =>
    first(checks, (check) => check(value, at));

/** Rows of which no two have the same name. */
export const unique =
  (key: string): Check =>
  (value, at) => {
    const names = new Set<unknown>();
    return first(value as readonly { readonly [key: string]: unknown }[], (row, i) =>
      names.size === names.add(row[key]).size ? `${at}[${i}].${key}` : null,
    );
  };

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function first<T>(values: readonly T[], check: (value: T, i: number) => string | null): string | null {
  for (const [i, value] of values.entries()) {
    const wrong = check(value, i);
    if (wrong !== null) return wrong;
  }
  return null;
}
