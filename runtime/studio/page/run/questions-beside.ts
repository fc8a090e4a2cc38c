import type { Question, Step } from "./run-state.js";

export interface Asking<Q> {
  readonly question: Q;
  /** The visit that asks; undefined where it is not known. */
  readonly step: Step | undefined;
}

/**
 * The questions to show beside a chosen step. Whoever looks at a step that does not ask sees that step, and is led to
 * the questions.
 */
export function questionsBeside<Q extends Question>(
  questions: readonly Q[],
  steps: readonly Step[],
  chosen: Step | undefined,
): { readonly here: readonly Asking<Q>[]; readonly elsewhere: readonly Step[] } {
  const asking = questions.map((question) => ({
    question,
    step: steps.find(({ node, outcome }) => node === question.node && outcome === "waiting"),
  }));
  if (chosen === undefined || asking.some(({ step }) => step === chosen))
    return {
      here: [...asking].sort((a, b) => Number(b.step === chosen) - Number(a.step === chosen)),
      elsewhere: [],
    };
  return {
    here: asking.filter(({ step }) => step === undefined),
    elsewhere: asking.flatMap(({ step }) => step ?? []),
  };
}
