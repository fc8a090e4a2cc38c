import type { AgentContext, Outcome } from "../../graph/contract/contract.js";
import { decline } from "../../graph/contract/signal.js";
import { ours, pure } from "../../graph/link/marks.js";

/** Always succeeds; its value is the rendered prompt. */
export const success = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function success(_inputs: object, { prompt }: AgentContext): string {
    return prompt ?? "";
  }),
);

/** Always signals failure; its value, and the field `error`, is the rendered prompt. */
export const failure = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function failure(_inputs: object, { prompt, node }: AgentContext): Outcome<string> {
    return decline(prompt ?? "", prompt ?? `${node} failed`);
  }),
);
