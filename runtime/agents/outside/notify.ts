import type { AgentContext } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { effectKey, timeFor } from "./effect-key.js";
import { serviceOf } from "./services.js";

/** Sends its rendered prompt as a message to people, in the service of its connection. It writes the message. */
export async function notify(_inputs: object, context: AgentContext): Promise<string> {
  const { settings, prompt = "", signal } = context;
  const { connection } = settings;
  if (typeof connection !== "string")
    throw new AgentError("agent_failed", 'nobody knows where to: the setting "connection" names it');
  if (prompt.trim() === "")
    throw new AgentError("agent_failed", "there is nothing to say: the prompt is empty");
  const web = await serviceOf(context, "web");
  await web.notify({
    connection,
    text: prompt,
    key: effectKey(context),
    timeoutMs: timeFor(context),
    signal,
  });
  return prompt;
}
