import { StoreError } from "../durable/store-error.js";

export interface StartOptions {
  /** A second start with the same key and graph gives the first run. */
  readonly key?: string;
  /** Counts from now, also where `at` is later. */
  readonly deadlineMs?: number;
  /** When it begins. */
  readonly at?: Date;
  /** Time at work. */
  readonly timeoutMs?: number;
  readonly maxSteps?: number;
  readonly userId?: string;
}

/** A key must fit a header, wherever it is given. */
export const isStartKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

/** Refuses what the command line and the server refuse, before anything is stored. */
export function checkStart({ key, at, ...limits }: StartOptions): void {
  const { deadlineMs = Number.POSITIVE_INFINITY } = limits;
  if (key !== undefined && !isStartKey(key))
    throw refused("key", "the key takes 1 to 255 visible ASCII characters, without spaces");
  if (at !== undefined && Number.isNaN(at.getTime())) throw refused("at", "at is no time");
  for (const name of ["deadlineMs", "timeoutMs", "maxSteps"] as const) {
    const value = limits[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      throw refused(name, `${name} must be a whole number, 1 or more`);
  }
  if (at !== undefined && at.getTime() >= Date.now() + deadlineMs)
    throw refused(
      "deadlineMs",
      "the deadline is over before the run begins: it counts from now, not from at",
    );
}

const refused = (name: string, message: string): StoreError =>
  new StoreError("input_invalid", message, { pointer: `/${name}` });
