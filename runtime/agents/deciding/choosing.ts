import type { AgentContext, Candidate, Choice, Outcome } from "../../graph/contract/contract.js";
import { codeOf } from "../../graph/contract/errors.js";
import { choose } from "../../graph/contract/signal.js";
import { ours, pure } from "../../graph/link/marks.js";
import { text } from "../../graph/values/values.js";
import { askModel } from "../models/ask-model.js";

/** Goes to the node that its first input names, by the cases or by the name of a node, else to the default. */
export const switching = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function switching(inputs: object, _context: AgentContext): Outcome<string> {
    const value = text(Object.values(inputs)[0]);
    return choose(value, value);
  }),
);

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

/** Common words that say nothing of a text's subject. */
const EMPTY = new Set(
  (
    "a an the and or but if then else of to in on at by for from with without about into over as is are was were be " +
    "been am do does did has have had it its this that these those there here i me my we us our you your he she him " +
    "her his they them their not no yes so can could will would shall should may might must please what which who " +
    "when where why how all any some every each other than too very just also only"
  ).split(" "),
);

/** The words of a text, each once, in lower case and singular. A name such as `RefundTeam` is two words. */
function wordsOf(text: string): ReadonlySet<string> {
  const spaced = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map(singular));
}

/** The singular of most English plurals: parcels and parcel, deliveries and delivery. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const SAME = 4;
const SIMILAR = 1;
/** The shortest common beginning of similar words. */
const STEM = 4;

/** Equal words count most, words with another ending a little. Linear, unless many begin alike. */
function scoreOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const byStem = new Map<string, string[]>();
  for (const other of others) {
    const stem = other.slice(0, STEM);
    byStem.set(stem, [...(byStem.get(stem) ?? []), other]);
  }
  let score = 0;
  for (const word of words) {
    if (others.has(word)) score += SAME;
    else if (byStem.get(word.slice(0, STEM))?.some((other) => isSimilar(word, other)) === true)
      score += SIMILAR;
  }
  return score;
}

/** One continues the other (cancel, cancellation), or their endings are short (delivered, delivery). */
function isSimilar(word: string, other: string): boolean {
  const shorter = Math.min(word.length, other.length);
  let shared = 0;
  while (shared < shorter && word[shared] === other[shared]) shared += 1;
  if (shared < STEM) return false;
  return shared === shorter || (shared > STEM && Math.max(word.length, other.length) - shared <= 3);
}
