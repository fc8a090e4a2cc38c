import type { Json } from "../../compiler/ir.js";

/** The parts of a request that scripts use. */
export interface ScriptedRequest {
  readonly prompt: string;
  readonly system?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly [name: string]: unknown;
}

/** An answer of a script: text, data as JSON, an error to throw, or a function of the request. */
export type ScriptedAnswer = Json | Error | ((request: ScriptedRequest) => Json);

/** A language model that answers from a script and records its requests. */
export interface ScriptedModel {
  generate(
    request: ScriptedRequest,
    call?: unknown,
  ): Promise<{
    readonly text: string;
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
    readonly provider: string;
    readonly model: string;
  }>;
  readonly requests: readonly ScriptedRequest[];
}

/**
 * Makes a model for `services: { llm: scriptedModel(["Hello!"]) }`. Each call takes the next answer. A call without
 * an answer left fails, so that a test notices it.
 */
export function scriptedModel(answers: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  return {
    requests,
    generate: async (request) => {
      const number = requests.push(request);
      const answer = answers[number - 1];
      if (answer === undefined)
        throw new Error(`the scripted model has ${answers.length} answers, and was asked ${number} times`);
      if (answer instanceof Error) throw answer;
      const value = typeof answer === "function" ? answer(request) : answer;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const usage = { input_tokens: wordsIn(request.prompt), output_tokens: wordsIn(text) };
      return { text, usage, provider: "scripted", model: "scripted" };
    },
  };
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;
