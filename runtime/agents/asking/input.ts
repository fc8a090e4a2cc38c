import type { AgentContext, Json, Outcome } from "../../graph/contract/contract.js";
import { asking, ours } from "../../graph/link/marks.js";
import { aboutAnswer, askedOutputs, remindMsOf } from "./answered.js";
import { assignedOf, isAssigned } from "./assigned.js";

/** Asks a person. On the first visit, the caller's value for the output field is the answer. */
export const input = /* @__PURE__ */ asking(
  /* @__PURE__ */ ours(function input<R = string>(inputs: object, context: AgentContext): Outcome<R> {
    const { answer, prompt, outputs, settings } = context;
    const asked = askedOutputs(outputs);
    const value = answer ?? givenAnswer(context);
    if (value !== undefined) return resultOf(value, context) as R;
    // Several outputs are asked for as one mapping.
    const type = asked.length > 1 ? ({ kind: "object" } as const) : asked[0]?.type;
    return context.wait({
      ...{ prompt, type, remindMs: remindMsOf(settings) },
      ...assignedOf(settings, inputs),
    });
  }),
);

/** With `by` and `at`, the answer becomes an entry beside them. */
function resultOf(value: Json, context: AgentContext): unknown {
  const asked = askedOutputs(context.outputs);
  if (asked.length === context.outputs.length) return value;
  const own = asked.length === 1 ? { [asked[0]!.key]: value } : (value as object);
  return { ...own, ...aboutAnswer(context) };
}

/** The caller's values for the outputs, at the first visit; undefined when one is missing. */
export function givenAnswer(context: AgentContext): Json | undefined {
  const { visit, settings } = context;
  const outputs = askedOutputs(context.outputs);
  if (visit > 1 || isAssigned(settings) || outputs.length === 0) return undefined;
  const values = outputs.map(({ field }) => context.given(field));
  if (values.includes(undefined)) return undefined;
  if (values.length === 1) return values[0];
  return Object.fromEntries(outputs.map(({ key }, index) => [key, values[index] as Json]));
}
