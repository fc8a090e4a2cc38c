import type { NodeIR } from "../../ir.js";
import { formOf } from "../../types/answer-form.js";

/** Models are given the inputs by name only where no prompt says what to do with them. */
const MODELS: readonly string[] = ["llm", "openai", "anthropic", "google"];

/**
 * True where an agent knows its inputs through cells of its own row alone: its prompt and its settings. There an input
 * may be called otherwise. Code of the project, other graphs, files and prompts in files know inputs by their names.
 */
export function knowsInputsByCells({ agent, settings, prompt, promptFrom, reads }: NodeIR): boolean {
  if (!agent.builtin || promptFrom !== null) return false;
  switch (agent.type) {
    case "default":
    case "echo":
      return prompt !== null || reads.length === 1;
    case "input":
    case "human":
    case "success":
    case "failure":
    case "branching":
    case "formula":
    case "switch":
      return true;
    case "orchestrator":
      return settings["strategy"] !== "llm";
    case "summary":
      return settings["format"] === undefined && settings["include_keys"] !== true;
    default:
      return MODELS.includes(agent.type) && prompt !== null;
  }
}

/** Outputs that an agent which asks people fills by their names. */
const TOLD: readonly string[] = ["comment", "by", "at"];

/** True where an agent gives one value, whatever its output is called. */
export function givesOneValue(
  { agent, prompt, promptFrom, writes }: NodeIR,
  names: readonly string[],
): boolean {
  const [only] = writes;
  if (!agent.builtin || only === undefined || writes.length > 1) return false;
  switch (agent.type) {
    case "default":
    case "echo":
      return prompt !== null || promptFrom !== null;
    case "input":
    case "human":
      return !names.some((name) => TOLD.includes(name));
    case "success":
    case "failure":
    case "branching":
    case "formula":
    case "switch":
    case "orchestrator":
    case "summary":
      return true;
    default:
      return MODELS.includes(agent.type) && isText(only);
  }
}

/** A model is asked for data of other types under the names of the outputs. */
const isText = ({ key, type }: NodeIR["writes"][number]): boolean =>
  formOf([{ key, type: type ?? undefined }], undefined).kind !== "data";
