import type { Answers, Numbered, Question } from "./messages.js";

declare const ENGINE_FILE: string;

interface Policies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): string };
}

/** The one address that becomes a script: a constant of the build. */
function engineAddress(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy("flowsheet", { createScriptURL: () => ENGINE_FILE });
  return policy === undefined ? ENGINE_FILE : policy.createScriptURL(ENGINE_FILE);
}

interface Open {
  readonly content: Question;
  readonly resolve: (content: unknown) => void;
}

const AGAIN_MS = 2_000;

/** The compiler, in a thread of its own. */
export class Engine {
  readonly #address = engineAddress();
  readonly #open = new Map<number, Open>();
  #worker = this.#begin();
  #hasAnswered = false;
  #last = 0;

  #begin(): Worker {
    const worker = new Worker(this.#address, { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Numbered<unknown>>) => {
      this.#hasAnswered = true;
      this.#open.get(data.number)?.resolve(data.content);
      this.#open.delete(data.number);
    });
    worker.addEventListener("error", () => {
      // One that has answered was loaded: what went wrong then is told in the console.
      if (!this.#hasAnswered) setTimeout(() => this.#beginAgain(), AGAIN_MS);
    });
    return worker;
  }

  /** A file of it did not come. */
  #beginAgain(): void {
    this.#worker.terminate();
    this.#worker = this.#begin();
    for (const [number, { content }] of this.#open) this.#worker.postMessage({ number, content });
  }

  ask<Q extends Question>(content: Q): Promise<Answers[Q["kind"]]> {
    const number = ++this.#last;
    return new Promise((resolve) => {
      this.#open.set(number, { content, resolve: resolve as (content: unknown) => void });
      this.#worker.postMessage({ number, content });
    });
  }
}
