import type { AgentContext, Candidate, Choice, Outcome } from "../graph/contract/contract.js";
import { codeOf } from "../graph/contract/errors.js";
import { choose } from "../graph/contract/signal.js";
import { text } from "../graph/values/values.js";
import { askModel } from "./ask-model.js";
import { scoreOf, wordsOf } from "./keywords.js";

/** Chooses one of the nodes of its list: the best match of words, or the choice of a model. */
export function orchestrator(inputs: object, context: AgentContext): Outcome<string> {
  const { targets, settings } = context;
  if (settings["strategy"] !== "llm") return chosen(bestMatch(inputs, targets), context);
  return namedByModel(inputs, context).then((name) => chosen(name, context));
}

function chosen(name: string | null, { targets, settings }: AgentContext): Choice<string> {
  const { default_target: otherwise } = settings;
  const target = name ?? (typeof otherwise === "string" ? otherwise.trim() : null);
  if (target === null) throw new Error(noMatch(targets));
  return choose(target, target);
}

/** The target that a model names; null when it names none. A failing model is an error of the node. */
async function namedByModel(inputs: object, context: AgentContext): Promise<string | null> {
  const { targets, prompt = "Which of these steps should handle the request?" } = context;
  const steps = targets.map(({ name, about }) => `- ${name}${about === "" ? "" : `: ${about}`}`);
  const request = Object.entries(inputs).map(([key, value]) => `${key}: ${text(value)}`);
  const question = [prompt, "", "Steps:", ...steps, "", "Request:", ...request].join("\n");
  try {
    const name = await askModel(context, { prompt: question, choices: targets.map(({ name }) => name) });
    return typeof name === "string" ? name : null;
  } catch (error) {
    if (codeOf(error) === "bad_value") return null;
    throw error;
  }
}

/** The target with the highest score. The first of equals wins; null when no word is common. */
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
