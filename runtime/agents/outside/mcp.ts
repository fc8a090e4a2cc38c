import type { AgentContext, Json } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { isMapping } from "../../graph/values/values.js";
import { effectKey } from "./effect-key.js";
import { serviceOf } from "./services.js";

/** Calls a tool of another server over MCP. Its inputs are the arguments, its result is what the tool gives. */
export async function mcp<R = unknown>(inputs: object, context: AgentContext): Promise<R> {
  const { server, tool } = context.settings;
  if (typeof server !== "string")
    throw failure('nobody knows which server: the setting "server" names one of mcp.servers');
  if (typeof tool !== "string") throw failure('nobody knows what to do: the setting "tool" names it');
  const service = await serviceOf(context, "mcp");
  const args = Object.entries(inputs).filter(([, value]) => value !== undefined);
  const result = await service.call({
    server,
    tool,
    args: Object.fromEntries(args) as { readonly [name: string]: Json },
    key: effectKey(context),
    signal: context.signal,
  });
  return resultOf(result, context.outputs) as R;
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

/** One output takes the whole result, or its entry of that name; several take entries. */
function resultOf(result: Json, outputs: AgentContext["outputs"]): unknown {
  const [only, another] = outputs;
  if (only === undefined || another !== undefined || !isMapping(result)) return result;
  return Object.hasOwn(result, only.key) ? result[only.key] : result;
}
