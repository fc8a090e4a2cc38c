import type { AgentContext, Settings } from "../../graph/contract/contract.js";

type Outputs = AgentContext["outputs"];

/** Outputs beside the answer: who gave it, and when. */
const ABOUT: ReadonlySet<string> = new Set(["by", "at"]);

/** How often people are reminded of the question. */
export const remindMsOf = ({ remind_ms: ms }: Settings): number | undefined =>
  typeof ms === "number" && ms > 0 ? ms : undefined;

/** The outputs that the answer itself fills. A node with one output has it for the answer, whatever its name. */
export function askedOutputs(outputs: Outputs): Outputs {
  const asked = outputs.length < 2 ? outputs : outputs.filter(({ key }) => !ABOUT.has(key));
  return asked.length === 0 ? outputs.slice(0, 1) : asked;
}

/** The entries `by` and `at` of an answer. An entry that nobody knows is there, and unset. */
export const aboutAnswer = ({ outputs, answered }: Pick<AgentContext, "outputs" | "answered">): object => {
  const asked = askedOutputs(outputs);
  const others = outputs.filter((output) => !asked.includes(output));
  return Object.fromEntries(others.map(({ key }) => [key, key === "by" ? answered?.by : answered?.at]));
};
