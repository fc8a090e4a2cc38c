import type { AgentContext, Candidate, Outcome } from "../graph/contract.js";
import { AgentError } from "../graph/errors.js";
import { choose } from "../graph/signal.js";
import { text } from "../graph/values.js";
import { scoreOf, wordsOf } from "./keywords.js";

/** Goes to one of the nodes of its list: the one that its inputs speak of most, or that a model names. */
export function orchestrator(inputs: object, context: AgentContext): Outcome<string> {
  const { strategy } = context.settings;
  const name = strategy === "llm" ? askModel() : bestMatch(inputs, context.targets);
  const { default_target: otherwise } = context.settings;
  const chosen = name ?? (typeof otherwise === "string" ? otherwise.trim() : null);
  if (chosen === null) throw new Error(noMatch(context.targets));
  return choose(chosen, chosen);
}

function askModel(): never {
  throw new AgentError("provider_failed", 'the strategy "llm" needs a language model, and this run has none');
}

/** The target with most words in common; of equals the first, and none when no word is shared. */
function bestMatch(inputs: object, targets: readonly Candidate[]): string | null {
  const words = wordsOf(Object.values(inputs).map(text).join(" "));
  let best: { readonly name: string; readonly score: number } | null = null;
  for (const { name, about } of targets) {
    const score = scoreOf(words, wordsOf(`${name} ${about}`));
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name ?? null;
}

function noMatch(targets: readonly Candidate[]): string {
  const names = targets.map(({ name }) => JSON.stringify(name)).join(", ");
  return `the inputs match none of ${names === "" ? "its targets" : names}, and there is no default_target`;
}
