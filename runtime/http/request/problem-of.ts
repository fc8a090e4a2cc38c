import { StoreError } from "../../durable/store-error.js";
import type { Logger } from "../../graph/contract/contract.js";
import { AnswererError } from "../../graph/suspend/answerer.js";
import { StoredRunError } from "../../runs/suspended.js";
import { HttpProblem, inputInvalid } from "./problem.js";

/** Other errors are bugs of ours: the client gets an id, the log the cause. */
export function problemOf(error: unknown, id: string, log: Logger): HttpProblem {
  if (error instanceof HttpProblem) {
    if (error.code === "internal") log.error(`request ${id} failed: ${error.message}`);
    return error;
  }
  // The disk is full or read-only. The operator can fix that.
  if (error instanceof StoredRunError) {
    log.error(`request ${id} failed: ${error.message}`);
    return unavailable();
  }
  if (error instanceof StoreError) return storeProblem(error, id, log);
  if (error instanceof AnswererError) return new HttpProblem(error.code, { detail: error.message });
  log.error(`request ${id} failed`, error);
  return new HttpProblem("internal");
}

const unavailable = (): HttpProblem =>
  new HttpProblem("storage_unavailable", { headers: { "Retry-After": "60" } });

/** Words about one run are the caller's matter, the others the operator's, who is told once what keeps all runs. */
function storeProblem(error: StoreError, id: string, log: Logger): HttpProblem {
  switch (error.code) {
    case "store_unwritable":
      return new HttpProblem("store_unwritable", { headers: { "Retry-After": "60" } });
    case "store_damaged":
    case "store_newer":
    case "store_unusable":
      return unavailable();
    case "store_busy":
      log.error(`request ${id} failed: ${error.message}`);
      return unavailable();
    case "input_invalid":
      return inputInvalid([{ pointer: error.pointer, message: error.message }]);
    case "run_not_found":
      return new HttpProblem("run_not_found");
    default:
      return new HttpProblem(error.code, { detail: error.message });
  }
}
