/** Logging, JSON and string conversion print a placeholder in place of the value. */
export interface Secret {
  readonly reveal: () => string;
  readonly toJSON: () => string;
  readonly toString: () => string;
}

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

export function createSecret(value: string): Secret {
  const shown = (): string => "[redacted]";
  return Object.freeze({ reveal: () => value, toJSON: shown, toString: shown, [inspect]: shown });
}
