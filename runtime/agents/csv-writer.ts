import type { AgentContext } from "../graph/contract.js";
import type { StorageReceipt } from "../graph/services.js";
import { writeRequest, writeStored } from "./stored.js";

/** Writes a CSV file of the data folder, or changes entries of it. */
export async function csvWriter(inputs: object, context: AgentContext): Promise<StorageReceipt> {
  return writeStored(writeRequest("csv", inputs, { context }), context);
}
