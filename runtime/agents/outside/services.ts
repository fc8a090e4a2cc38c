import type { AgentContext, Services } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { defaultServices } from "../default-services.js";

/** The service that the run lends its agents, or that of the project the process stands in. */
export async function serviceOf<K extends "web" | "mail" | "sql" | "mcp">(
  { services }: AgentContext,
  name: K,
): Promise<NonNullable<Services[K]>> {
  const service = services[name] ?? (await defaultServices())[name];
  if (service !== undefined) return service as NonNullable<Services[K]>;
  throw new AgentError("agent_failed", `there is no way outside here: give the run services with "${name}"`);
}
