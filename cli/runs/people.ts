import { visible } from "../../compiler/diagnostics/visible.js";
import { isGoneWait, type WaitRow } from "../../runtime/durable/rows.js";
import { answerTo, endedWaitOf } from "../../runtime/runs/describe-run.js";
import type { Visit } from "./visits.js";

/** The answer that a visit went on with. */
export function answerOf({ calls, outcome }: Visit, waits: readonly WaitRow[]): WaitRow | undefined {
  const [call] = calls;
  return call === undefined || outcome === "waiting" ? undefined : answerTo(call.id, waits);
}

/** `by ada`, or that nobody has answered: then the node's own default has decided. */
export function answererText(visit: Visit, waits: readonly WaitRow[]): string {
  const answer = answerOf(visit, waits);
  if (answer === undefined) return isOverdue(visit, waits) ? "no answer in time" : "";
  return answer.answeredBy === null ? "" : `by ${visible(answer.answeredBy)}`;
}

/** A throw says so itself. */
function isOverdue({ calls, outcome }: Visit, waits: readonly WaitRow[]): boolean {
  const [call] = calls;
  const isOver = outcome === "success" || outcome === "failure";
  const wait = isOver && call !== undefined ? endedWaitOf(call.id, waits, "over") : undefined;
  return wait !== undefined && !isGoneWait(wait);
}
