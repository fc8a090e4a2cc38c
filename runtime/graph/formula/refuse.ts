import { describeValue } from "../../../compiler/types/describe-value.js";
import { AgentError } from "../contract/errors.js";

/** Fails the node: a formula cannot go on with such a value. */
export function refuse(message: string): never {
  throw new AgentError("agent_failed", message);
}

/** A value in the words of messages. */
export const shown = (value: unknown): string => describeValue(value);

/** The longest text that a function makes, in UTF-16 units. */
export const LONGEST_TEXT = 1_048_576;

export function textOfLength(text: string): string {
  if (text.length > LONGEST_TEXT) refuse("a formula makes a text of more than 1 MB");
  return text;
}
