import type { AgentContext } from "../graph/contract.js";
import type { StorageReceipt } from "../graph/services.js";
import { storageOf, writeRequest } from "./stored.js";

/** Writes a text file of the data folder: the prompt when a setting names the file, else the inputs. */
export async function fileWriter(inputs: object, context: AgentContext): Promise<StorageReceipt> {
  return storageOf(context).write(writeRequest("text", inputs, { context, prompted: true }));
}
