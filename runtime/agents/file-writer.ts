import type { AgentContext } from "../graph/contract/contract.js";
import type { StorageReceipt } from "../graph/contract/services.js";
import { writeRequest, writeStored } from "./stored.js";

/** Writes a text file of the data folder: the prompt when a setting names the file, else the inputs. */
export async function fileWriter<R extends StorageReceipt = StorageReceipt>(
  inputs: object,
  context: AgentContext,
): Promise<R> {
  return writeStored<R>(writeRequest("text", inputs, { context, prompted: true }), context);
}
