import type { AgentContext } from "../graph/contract/contract.js";
import { ours } from "../graph/link/marks.js";

/** Always succeeds; its value is the rendered prompt. */
export const success = /* @__PURE__ */ ours(function success(
  _inputs: object,
  { prompt }: AgentContext,
): string {
  return prompt ?? "";
});
