import type { AgentContext, Outcome } from "../graph/contract/contract.js";
import { ours } from "../graph/drive/agent-context.js";
import { decline } from "../graph/drive/signal.js";

/** Always signals failure; its value, and the field `error`, is the rendered prompt. */
export const failure = /* @__PURE__ */ ours(function failure(
  _inputs: object,
  { prompt, node }: AgentContext,
): Outcome<string> {
  return decline(prompt ?? "", prompt ?? `${node} failed`);
});
