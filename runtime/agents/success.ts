import type { AgentContext } from "../graph/contract.js";

/** Always succeeds; its value is the rendered prompt. */
export function success(_inputs: object, { prompt }: AgentContext): string {
  return prompt ?? "";
}
