/** Why a provider gave no answer. */
export interface Failing {
  /** One line, without the provider's name. */
  readonly message: string;
  /** The same call may succeed later. */
  readonly isPassing: boolean;
  /** How long the provider asks to wait; null when it does not say. */
  readonly waitMs: number | null;
  /** The provider refused how an answer in JSON was asked for: instructions alone may do. */
  readonly refusesFormat: boolean;
}

/** A provider that gave no answer. It never leaves this folder. */
export class ProviderFailure extends Error {
  readonly failing: Failing;
  constructor(message: string, facts: Partial<Omit<Failing, "message">> = {}) {
    super(message);
    this.name = "ProviderFailure";
    this.failing = {
      message,
      isPassing: false,
      waitMs: null,
      refusesFormat: false,
      ...facts,
    };
  }
}
