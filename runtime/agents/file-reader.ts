import type { AgentContext } from "../graph/contract/contract.js";
import { readStored } from "./stored.js";

/** Reads a text file of the data folder: the whole text, the line with a number, or the lines that a query chooses. */
export function fileReader<R = unknown>(inputs: object, context: AgentContext): Promise<R> {
  // A text or a list of lines: the settings decide, and the sheet knows.
  return readStored("text", inputs, context) as Promise<R>;
}
