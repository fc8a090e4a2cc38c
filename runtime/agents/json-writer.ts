import type { AgentContext } from "../graph/contract/contract.js";
import type { StorageReceipt } from "../graph/contract/services.js";
import { writeRequest, writeStored } from "./stored.js";

/** Writes a JSON file of the data folder, or changes entries of it. */
export async function jsonWriter<R extends StorageReceipt = StorageReceipt>(
  inputs: object,
  context: AgentContext,
): Promise<R> {
  return writeStored<R>(writeRequest("json", inputs, { context }), context);
}
