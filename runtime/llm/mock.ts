import type { Generated, ModelRequest } from "../graph/contract/services.js";
import { isMapping } from "../graph/values/values.js";
import { ProviderFailure } from "./failure.js";
import type { ProviderSettings } from "./settings.js";

type Schema = { readonly [key: string]: unknown };

/** The same request always gets the same answer: a configured one, else one made from the prompt. */
export function askMock(
  { name, answers }: ProviderSettings,
  model: string,
  request: ModelRequest,
): Generated {
  const { text, source } = answerTo(request, { name, answers });
  const asked = [request.system ?? "", ...(request.history ?? []).map((turn) => turn.text), request.prompt];
  const usage = { input_tokens: tokens(asked.join("\n")), output_tokens: tokens(text) };
  return { text, usage, provider: name, model, source };
}

const tokens = (text: string): number => Math.ceil(text.length / 4);

function answerTo(
  request: ModelRequest,
  { name, answers }: Pick<ProviderSettings, "name" | "answers">,
): { readonly text: string; readonly source: string } {
  const found = Object.entries(answers).find(([pattern]) => fits(request.prompt, pattern));
  if (found === undefined) return { text: inventedFor(request), source: "the mock itself" };
  const [pattern, answer] = found;
  const source = `the answer to ${JSON.stringify(pattern)} of llm.providers.${name}.answers in flowsheet.yaml`;
  return { text: configured(answer, request), source };
}

/** True when the pieces between `*` occur in order, ignoring case. It never backtracks. */
function fits(prompt: string, pattern: string): boolean {
  const text = prompt.toLowerCase();
  let from = 0;
  for (const piece of pattern.toLowerCase().split("*")) {
    const at = text.indexOf(piece.trim(), from);
    if (at < 0) return false;
    from = at + piece.trim().length;
  }
  return true;
}

/** A configured answer: text, data, or `{error: why}` for a failing provider. */
function configured(answer: unknown, { schema }: ModelRequest): string {
  if (isMapping(answer) && Object.keys(answer).length === 1 && typeof answer["error"] === "string")
    throw new ProviderFailure(answer["error"]);
  const only = schema === undefined ? null : onlyEntry(schema);
  // A single typed output may be given without its name.
  if (only !== null && !(isMapping(answer) && Object.hasOwn(answer, only)))
    return JSON.stringify({ [only]: answer });
  const text = typeof answer === "string" ? answer : JSON.stringify(answer ?? "");
  if (text.trim() === "") throw new ProviderFailure("it gave an empty answer");
  return text;
}

function inventedFor({ prompt, choices, schema }: ModelRequest): string {
  if (choices !== undefined) return chosen(prompt, choices);
  if (schema !== undefined) return JSON.stringify(invented(prompt, schema));
  return `Mock answer to: ${shortened(prompt)}`;
}

function shortened(prompt: string): string {
  const plain = prompt.replace(/\s+/gu, " ").trim();
  const letters = [...plain];
  return letters.length <= 200 ? plain : `${letters.slice(0, 200).join("")}…`;
}

/** The first choice that occurs in the prompt, else the first of all. */
function chosen(prompt: string, choices: readonly string[]): string {
  const text = prompt.toLowerCase();
  const named = choices.filter((choice) => choice.trim() !== "" && text.includes(choice.toLowerCase()));
  return named[0] ?? choices[0] ?? "";
}

function onlyEntry({ properties }: Schema): string | null {
  const keys = isMapping(properties) ? Object.keys(properties) : [];
  return keys.length === 1 ? (keys[0] ?? null) : null;
}

function invented(prompt: string, schema: Schema): unknown {
  const { type, enum: values, properties, items } = schema;
  if (Array.isArray(values)) return chosen(prompt, values.map(String));
  if (type === "number") return Number(/-?\d+(?:\.\d+)?/.exec(prompt)?.[0] ?? 0);
  if (type === "boolean") return !/\b(?:no|not|false)\b/i.test(prompt);
  if (type === "array") return [isMapping(items) ? invented(prompt, items) : shortened(prompt)];
  if (type !== "object") return `Mock answer to: ${shortened(prompt)}`;
  const entries = isMapping(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(entries.map(([key, one]) => [key, isMapping(one) ? invented(prompt, one) : ""]));
}
