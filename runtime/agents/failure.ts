import { ours } from "../graph/agent-context.js";
import type { AgentContext, Outcome } from "../graph/contract.js";
import { decline } from "../graph/signal.js";

/** Always signals failure; its value, and the field `error`, is the rendered prompt. */
export const failure = /* @__PURE__ */ ours(function failure(
  _inputs: object,
  { prompt, node }: AgentContext,
): Outcome<string> {
  return decline(prompt ?? "", prompt ?? `${node} failed`);
});
