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

/** The compiler, in a thread of its own. */
export class Engine {
  readonly #worker = new Worker(engineAddress(), { type: "module" });
  readonly #open = new Map<number, (content: unknown) => void>();
  #last = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Numbered<unknown>>) => {
      this.#open.get(data.number)?.(data.content);
      this.#open.delete(data.number);
    });
  }

  ask<Q extends Question>(content: Q): Promise<Answers[Q["kind"]]> {
    const number = ++this.#last;
    return new Promise((resolve) => {
      this.#open.set(number, resolve as (content: unknown) => void);
      this.#worker.postMessage({ number, content });
    });
  }
}
