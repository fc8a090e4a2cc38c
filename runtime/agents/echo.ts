import type { AgentContext } from "../graph/contract/contract.js";
import { ours } from "../graph/link/marks.js";

/** The rendered prompt if there is one; else the one input; else the mapping of inputs; else null. */
export const echo = /* @__PURE__ */ ours(function echo<R = unknown>(
  inputs: object,
  context: AgentContext,
): R {
  return said(inputs as { readonly [param: string]: unknown }, context) as R;
});

function said(inputs: { readonly [param: string]: unknown }, { prompt }: AgentContext): unknown {
  if (prompt !== undefined) return prompt;
  const params = Object.keys(inputs);
  if (params.length === 0) return null;
  return params.length === 1 ? inputs[params[0]!] : inputs;
}
