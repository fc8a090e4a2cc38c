import type { AgentContext } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { Storage } from "../../graph/contract/services.js";
import { defaultServices } from "../default-services.js";

/** The storage that a run gives, else that of the project around the working folder. */
export async function storageOf({ services }: AgentContext): Promise<Storage> {
  const storage = services.storage ?? (await defaultServices()).storage;
  if (storage !== undefined) return storage;
  throw new AgentError("agent_failed", 'there is no storage here: give the run services with "storage"');
}
