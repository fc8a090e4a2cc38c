import { parseInstant } from "../auth/plan/instant.js";
import { readDuration } from "./duration.js";

/** What `readMoment` takes, for messages. */
export const MOMENT = "a time such as 2h or 2d, or an ISO time such as 2027-01-31T09:00Z";

/**
 * Milliseconds since 1970 of an ISO time, which is UTC without an offset, or of `2h`, counted forwards or backwards
 * from now. Null for any other text.
 */
export function readMoment(text: string, now: number, direction: "ahead" | "ago"): number | null {
  const ms = readDuration(text);
  if (ms === null) return parseInstant(text);
  return direction === "ahead" ? now + ms : now - ms;
}
