import { visible } from "../../compiler/diagnostics/visible.js";
import type { WaitRow } from "../../runtime/durable/rows.js";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { answerTo } from "../../runtime/runs/describe-run.js";
import type { Visit } from "./visits.js";

/** `  asked of ada, role:finance` */
export const askedOf = (assignees: Json | undefined): string =>
  Array.isArray(assignees) ? `  asked of ${visible(assignees.join(", "))}` : "";

/** The answer that a visit went on with. */
export function answerOf({ calls, outcome }: Visit, waits: readonly WaitRow[]): WaitRow | undefined {
  const [call] = calls;
  return call === undefined || outcome === "waiting" ? undefined : answerTo(call.id, waits);
}

/** `by ada` */
export function answererText(visit: Visit, waits: readonly WaitRow[]): string {
  const by = answerOf(visit, waits)?.answeredBy ?? null;
  return by === null ? "" : `by ${visible(by)}`;
}
