import { AgentError } from "../graph/contract/errors.js";

/** Why a call had no answer. A program may decide by it; the message is for people. */
export type NetworkReason =
  | "refused"
  | "bad-request"
  | "unreachable"
  | "bad-certificate"
  | "redirects"
  | "too-large"
  | "bad-answer"
  | "time-out";

/**
 * A call that had no answer, or one that cannot be used. The message names the host alone: paths and queries may hold
 * secrets, and addresses are nobody's business.
 */
export class NetworkError extends AgentError {
  readonly reason: NetworkReason;
  constructor(reason: NetworkReason, message: string) {
    super("agent_failed", message);
    this.reason = reason;
  }
}
