/** What the user can mend: wrong usage, a wrong configuration, a file that cannot be opened. Exit code 2. */
export class UsageError extends Error {
  /** The cure in a sentence. */
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.name = "UsageError";
    this.help = help;
  }
}

/** Exit codes of every command. */
export const EXIT = { done: 0, findings: 1, usage: 2, suspended: 3, bug: 70, interrupted: 130 } as const;
