import type { WaitSpec } from "./waiting.js";

/**
 * Marks an agent's answer as something else than a value. A registered symbol: no data read from anywhere
 * can carry it, and copies of this package in one process understand each other.
 */
export const mark: unique symbol = Symbol.for("flowsheet.signal") as never;

/** A signalled failure: made by `fail("reason")`. */
export interface Failure {
  readonly [mark]: "failure";
  /** The reason, for the field `error`; null leaves that field alone. */
  readonly failure: string | null;
  /** What the node writes all the same. */
  readonly writes: unknown;
  /** `writes` is a whole answer; otherwise a mapping in which entries may be missing. */
  readonly whole: boolean;
}

/** An answer that is not there yet: made by `context.wait({ … })`. */
export interface Wait {
  readonly [mark]: "wait";
  readonly spec: WaitSpec;
}

/** A value together with the name that says where to go: made by `choose(name, value)`. */
export interface Choice<R> {
  readonly [mark]: "choice";
  readonly name: string;
  readonly value: R;
}

/** Signals failure: the run goes on over the failure edge, with the reason in the field `error`. */
export function fail(reason: string, writes?: { readonly [key: string]: unknown }): Failure {
  return { [mark]: "failure", failure: String(reason), writes, whole: false };
}

/** Signals failure with an answer that is written like any other. Without a reason the field `error` is left alone. */
export function decline(value: unknown, reason: string | null = null): Failure {
  return { [mark]: "failure", failure: reason, writes: value, whole: true };
}

/** Succeeds with a value, and names the place to go to. */
export function choose<R>(name: string, value: R): Choice<R> {
  return { [mark]: "choice", name, value };
}

/** Waits for an answer from outside the run. */
export function wait(spec: WaitSpec): Wait {
  return { [mark]: "wait", spec };
}

/** What an answer signals; undefined for a plain value. */
export function signalOf(answer: object): Failure | Choice<unknown> | Wait | undefined {
  return (answer as { readonly [mark]?: unknown })[mark] === undefined
    ? undefined
    : (answer as Failure | Choice<unknown> | Wait);
}
