/** A value that is never shown by accident: not in logs, not as JSON, not in a message. */
export interface Secret {
  readonly reveal: () => string;
  readonly toJSON: () => string;
  readonly toString: () => string;
}

const INSTEAD = "[redacted]";
const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** Wraps a value so that only who asks for it gets it. */
export function createSecret(value: string): Secret {
  const shown = (): string => INSTEAD;
  const secret = { reveal: () => value, toJSON: shown, toString: shown, [inspect]: shown };
  return Object.freeze(secret);
}
