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

/** Does something with a file; what the system refuses is told with the file's path. */
export function attempt<T>(verb: Verb, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusal(verb, path, error);
  }
}

/** The system's refusal with the path; any other error as it is. */
export function refusal(verb: Verb, path: string, error: unknown): unknown {
  const isSystem = error instanceof Error && "code" in error && typeof error.code === "string";
  return isSystem ? new OutputError(path, verb, error) : error;
}
