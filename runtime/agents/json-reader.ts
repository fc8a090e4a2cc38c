import type { AgentContext } from "../graph/contract/contract.js";
import { readStored } from "./stored.js";

/** Reads a JSON file of the data folder: the whole of it, the entry with an id, or what a query chooses. */
export function jsonReader<R = unknown>(inputs: object, context: AgentContext): Promise<R> {
  // What a file holds is known when it is read; the type is what the sheet says of it.
  return readStored("json", inputs, context) as Promise<R>;
}
