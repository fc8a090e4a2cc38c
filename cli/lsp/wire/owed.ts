/** Who leaves in order waits so long for the next answer to what was asked before. */
const PATIENCE_MS = 30_000;

type Id = string | number;

/** The requests that are not answered yet. */
export class Owed {
  readonly #open = new Set<Id>();
  #onAnswer: (() => void) | null = null;

  asked(message: object): void {
    if ("method" in message && "id" in message) this.#open.add(message.id as Id);
  }

  answered(message: object): void {
    if ("method" in message || !("id" in message)) return;
    this.#open.delete(message.id as Id);
    this.#onAnswer?.();
  }

  /** Over when all are answered, or when none comes for too long. */
  async settled(): Promise<void> {
    while (this.#open.size > 0 && (await this.#nextAnswer()));
  }

  #nextAnswer(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
      this.#onAnswer = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
