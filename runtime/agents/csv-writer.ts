import type { AgentContext } from "../graph/contract/contract.js";
import type { StorageReceipt } from "../graph/contract/services.js";
import { writeRequest, writeStored } from "./stored.js";

/** Writes a CSV file of the data folder, or changes entries of it. */
export async function csvWriter<R extends StorageReceipt = StorageReceipt>(
  inputs: object,
  context: AgentContext,
): Promise<R> {
  return writeStored<R>(writeRequest("csv", inputs, { context }), context);
}
