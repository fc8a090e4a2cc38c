import { type Converted, convert, convertChoice } from "../../../compiler/types/convert.js";
import { choicesOf, isBoolean } from "../../../compiler/types/field-type.js";
import { folded, yesOrNo } from "../../../compiler/types/yes-no.js";
import type { Json, Judgement, WaitingFor, WaitSpec } from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";
import type { PreparedNode } from "../link/table.js";
import { isMapping } from "../values/values.js";

/** The question of a node as it is told. */
export function waitingFor(node: PreparedNode, spec: WaitSpec): WaitingFor {
  const { prompt = "", options, type } = spec;
  const choices = choicesOf(type);
  return {
    node: node.name,
    field: node.outputs[0]?.field ?? null,
    prompt,
    options: options ?? (choices.length > 0 ? choices : null),
    type: type ?? null,
  };
}

/** Converts an answer that was accepted before. One that does not fit is an error of the node. */
export function takenAnswer(spec: WaitSpec, raw: Json): Json {
  const converted = convertAnswer(spec, raw);
  if ("value" in converted) return converted.value;
  throw new AgentError("agent_failed", `the answer does not fit: ${converted.problem}`);
}

/** Converts an answer for the waiting agent, and checks it against the question. */
export function convertAnswer(spec: WaitSpec, raw: Json): Converted {
  const { interaction, options, type = { kind: "string" } } = spec;
  if (spec.limitMs !== undefined) return { problem: "it waits for its time, and takes no answer" };
  if (interaction !== undefined) return judge(spec, raw);
  if (options === undefined) return convert(raw, type);
  const chosen = convertChoice(raw, options);
  return "value" in chosen ? convert(chosen.value, type) : chosen;
}

function judge(spec: WaitSpec, raw: Json): Converted {
  const { answer, comment } = withComment(raw);
  const approved = spec.interaction === "approval" ? verdict(answer, spec.options) : null;
  if (approved === undefined) return { problem: `expected ${offered(spec)}` };
  const converted =
    spec.interaction === "approval" ? verdictValue(answer, approved, spec) : chosenValue(answer, spec);
  if ("problem" in converted) return converted;
  const judgement: Judgement = { answer: converted.value, comment, approved };
  return { value: { ...judgement } };
}

/** The options that the person saw. Words with the same meaning are accepted, too. */
const offered = ({ options = [] }: WaitSpec): string =>
  options.length === 0 ? "yes or no" : `one of ${options.join(", ")}`;

/** An answer may be a mapping with a comment, also as JSON text. */
function withComment(raw: Json): { readonly answer: Json; readonly comment: string | null } {
  const given = typeof raw === "string" && raw.trimStart().startsWith("{") ? parsed(raw) : raw;
  if (!isMapping(given) || !Object.hasOwn(given, "answer")) return { answer: raw, comment: null };
  const { answer, comment } = given as { readonly answer: Json; readonly comment?: Json };
  return { answer, comment: comment === undefined || comment === null ? null : String(comment) };
}

/**
 * The first option approves and the others do not, unless the first is a word of refusal. Then, and without a match,
 * common words decide.
 */
function verdict(answer: Json, options: readonly string[] | undefined): boolean | undefined {
  if (typeof answer === "object") return undefined;
  const word = folded(String(answer));
  const index = options?.findIndex((option) => folded(option) === word) ?? -1;
  if (index < 0) return yesOrNo(word);
  return yesOrNo(options?.[0] ?? "") === false ? yesOrNo(word) === true : index === 0;
}

/**
 * The value that an approval writes: the option as the sheet spells it, or the field's choice with the same meaning,
 * or the answer.
 */
function verdictValue(
  answer: Json,
  approved: boolean | null,
  { options, type = { kind: "string" } }: WaitSpec,
): Converted {
  if (isBoolean(type)) return { value: approved };
  const option = options?.find((one) => folded(one) === folded(String(answer)));
  const converted = convert(option ?? answer, type);
  if ("value" in converted) return converted;
  const same = choicesOf(type).find((choice) => yesOrNo(choice) === approved);
  return same === undefined ? converted : { value: same };
}

function chosenValue(answer: Json, { interaction, options, type = { kind: "string" } }: WaitSpec): Converted {
  if (interaction !== "choice" || options === undefined) return convert(answer, type);
  const chosen = convertChoice(answer, options);
  return "value" in chosen ? convert(chosen.value, type) : chosen;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
