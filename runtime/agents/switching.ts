import type { AgentContext, Outcome } from "../graph/contract/contract.js";
import { choose } from "../graph/contract/signal.js";
import { ours } from "../graph/link/marks.js";
import { text } from "../graph/values/values.js";

/** Goes to the node that its first input names, by the cases or by the name of a node, else to the default. */
export const switching = /* @__PURE__ */ ours(function switching(
  inputs: object,
  _context: AgentContext,
): Outcome<string> {
  const value = text(Object.values(inputs)[0]);
  return choose(value, value);
});
