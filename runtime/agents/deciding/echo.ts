import type { AgentContext } from "../../graph/contract/contract.js";
import { ours, pure } from "../../graph/link/marks.js";
import type { Inputs } from "../agent.js";

/** The rendered prompt if there is one; else the one input; else the mapping of inputs; else null. */
export const echo = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function echo<R = unknown>(inputs: object, context: AgentContext): R {
    if (context.prompt !== undefined) return context.prompt as R;
    const params = Object.keys(inputs);
    if (params.length === 0) return null as R;
    return (params.length === 1 ? (inputs as Inputs)[params[0]!] : inputs) as R;
  }),
);
