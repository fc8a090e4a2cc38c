import type {
  AgentContext,
  Json,
  Judgement,
  Outcome,
  Settings,
  WaitSpec,
} from "../../graph/contract/contract.js";
import { decline } from "../../graph/contract/signal.js";
import { asking, ours } from "../../graph/link/marks.js";
import { convertAnswer } from "../../graph/suspend/answers.js";
import { text } from "../../graph/values/values.js";
import { aboutAnswer, askedOutputs, remindMsOf } from "./answered.js";
import { assignedOf, isAssigned } from "./assigned.js";

/** Asks a person for an approval, a choice or a text. An approval decides the outcome. */
export const human = /* @__PURE__ */ asking(
  /* @__PURE__ */ ours(function human<R = string>(inputs: object, context: AgentContext): Outcome<R> {
    const { settings } = context;
    const spec = specOf(context);
    const { answer = given(context, spec) } = context;
    if (answer === undefined) return context.wait({ ...spec, ...assignedOf(settings, inputs) });
    const judgement = answer as unknown as Judgement;
    const result = resultOf(judgement, context) as R;
    return judgement.approved === false ? decline(result) : result;
  }),
);

type Asking = Pick<AgentContext, "settings" | "outputs">;

export function specOf({
  settings,
  prompt,
  outputs,
}: Asking & { readonly prompt?: string | undefined }): WaitSpec {
  const { default_action: fallback } = settings;
  const options = optionsOf(settings);
  const interaction = interactionOf(settings, options);
  const shown = interaction === "approval" ? (options ?? ["approve", "reject"]) : options;
  const remindMs = remindMsOf(settings);
  return { prompt, interaction, options: shown, type: answerTaker(outputs)?.type, fallback, remindMs };
}

function interactionOf(
  { interaction }: Settings,
  options: readonly string[] | undefined,
): WaitSpec["interaction"] {
  if (interaction === "approval" || interaction === "choice" || interaction === "text") return interaction;
  return options === undefined ? "approval" : "choice";
}

function optionsOf({ options }: Settings): readonly string[] | undefined {
  return Array.isArray(options) ? options.map(text) : undefined;
}

/** The caller's value at the first visit is judged like an answer. */
function given(context: AgentContext, spec: WaitSpec): Json | undefined {
  const { visit, outputs } = context;
  const taker = answerTaker(outputs);
  const isAsked = visit > 1 || isAssigned(context.settings);
  const answer = isAsked || taker === undefined ? undefined : context.given(taker.field);
  if (answer === undefined) return undefined;
  const noted = outputs.find((output) => output !== taker && output.key === "comment");
  const comment = noted === undefined ? undefined : context.given(noted.field);
  const converted = convertAnswer(spec, comment === undefined ? answer : { answer, comment });
  // A value that is no answer to this question was meant for another one.
  return "problem" in converted ? undefined : converted.value;
}

/**
 * The reason why a caller's value is no answer. Null when it is one, when it is for another field, and when somebody
 * is asked anyway.
 */
export function givenProblem(node: Asking, field: string, answer: Json): string | null {
  if (isAssigned(node.settings) || answerTaker(node.outputs)?.field !== field) return null;
  const converted = convertAnswer(specOf(node), answer);
  return "problem" in converted ? converted.problem : null;
}

/** The output for the answer. With several outputs: the first that is not for the comment. */
function answerTaker(outputs: AgentContext["outputs"]): AgentContext["outputs"][number] | undefined {
  const asked = askedOutputs(outputs);
  return asked.length < 2 ? asked[0] : asked.find(({ key }) => key !== "comment");
}

/** The answer. With several outputs it is a mapping: `comment` takes the comment, the first other one the answer. */
function resultOf({ answer, comment }: Judgement, context: AgentContext): unknown {
  const { outputs } = context;
  if (outputs.length < 2) return answer;
  const taker = answerTaker(outputs);
  const noted = comment ?? undefined;
  const entryOf = (key: string): unknown =>
    key === taker?.key ? answer : key === "comment" ? noted : undefined;
  const own = Object.fromEntries(outputs.map(({ key }) => [key, entryOf(key)]));
  return { ...own, ...aboutAnswer(context) };
}
