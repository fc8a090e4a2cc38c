/** A file or a folder that could not be read, written or removed; the cause says why. */
export class OutputError extends Error {
  readonly path: string;
  readonly verb: Verb;
  declare readonly cause: Error;

  constructor(path: string, verb: Verb, cause: Error) {
    super(`cannot ${verb} ${path}: ${cause.message}`, { cause });
    this.name = "OutputError";
    this.path = path;
    this.verb = verb;
  }
}

type Verb = "read" | "write" | "remove";

/** Adds the path of the file to an error of the system. */
export function attempt<T>(verb: Verb, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusal(verb, path, error);
  }
}

/** A system error with the path; any other error stays as it is. */
export function refusal(verb: Verb, path: string, error: unknown): unknown {
  const isSystem = error instanceof Error && "code" in error && typeof error.code === "string";
  return isSystem ? new OutputError(path, verb, error) : error;
}
