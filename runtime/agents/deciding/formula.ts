import type { AgentContext } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { LONGEST_TEXT } from "../../graph/formula/refuse.js";
import { ours, pure } from "../../graph/link/marks.js";

/** Gives the value of the node's formula. */
export const formula = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function formula<R = unknown>(_inputs: object, { computed }: AgentContext): R {
    if (computed === undefined) throw new AgentError("agent_failed", "the formula gives no value");
    if (typeof computed === "number" && !Number.isFinite(computed))
      throw new AgentError("agent_failed", "the formula gives no number");
    if (typeof computed === "string" && computed.length > LONGEST_TEXT)
      throw new AgentError("agent_failed", "the formula gives a text of more than 1 MB");
    return computed as R;
  }),
);
