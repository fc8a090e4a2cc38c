import type { WaitSpec } from "./waiting.js";

/**
 * Marks an answer that is no plain value. It is a registered symbol: JSON data cannot hold it, and several copies of
 * this package in one process know it.
 */
export const mark: unique symbol = Symbol.for("flowsheet.signal") as never;

/** A signalled failure: made by `fail("reason")`. */
export interface Failure {
  readonly [mark]: "failure";
  /** The text for the field `error`; null does not change that field. */
  readonly failure: string | null;
  /** Values that the node writes in spite of the failure. */
  readonly writes: unknown;
  /** `writes` is a whole answer. Otherwise it is a mapping that may lack entries. */
  readonly whole: boolean;
}

/** An answer that will come later: made by `context.wait({ … })`. */
export interface Wait {
  readonly [mark]: "wait";
  readonly spec: WaitSpec;
}

/** A value with the name of its target: made by `choose(name, value)`. */
export interface Choice<R> {
  readonly [mark]: "choice";
  readonly name: string;
  readonly value: R;
}

/** Signals failure: the run follows the failure edge, with the reason in the field `error`. */
export function fail(reason: string, writes?: { readonly [key: string]: unknown }): Failure {
  return { [mark]: "failure", failure: String(reason), writes, whole: false };
}

/** Signals failure with an answer that is written as usual. Without a reason the field `error` does not change. */
export function decline(value: unknown, reason: string | null = null): Failure {
  return { [mark]: "failure", failure: reason, writes: value, whole: true };
}

/** Succeeds with a value, and names the target. */
export function choose<R>(name: string, value: R): Choice<R> {
  return { [mark]: "choice", name, value };
}

export function wait(spec: WaitSpec): Wait {
  return { [mark]: "wait", spec };
}

/** The signal in an answer; undefined for a plain value. */
export function signalOf(answer: object): Failure | Choice<unknown> | Wait | undefined {
  return (answer as { readonly [mark]?: unknown })[mark] === undefined
    ? undefined
    : (answer as Failure | Choice<unknown> | Wait);
}
