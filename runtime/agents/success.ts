import { ours } from "../graph/agent-context.js";
import type { AgentContext } from "../graph/contract.js";

/** Always succeeds; its value is the rendered prompt. */
export const success = /* @__PURE__ */ ours(function success(
  _inputs: object,
  { prompt }: AgentContext,
): string {
  return prompt ?? "";
});
