import { quoted } from "../../compiler/diagnostics/visible.js";
import { MOMENT, readMoment } from "../../runtime/config/moment.js";
import { isStartKey } from "../../runtime/runs/start-options.js";
import { UsageError } from "../failure.js";

export function readAt(text: string | null, now: number): number | null {
  return text === null ? null : momentOf("--at", text, now);
}

/** `at` is when the run begins, null for now. */
export function readDeadline(text: string | null, now: number, at: number | null = null): number | null {
  if (text === null) return null;
  const time = momentOf("--deadline", text, now);
  if (time <= now) throw new UsageError(`the deadline ${quoted(text)} is in the past`);
  if (at === null || time > at) return time;
  throw new UsageError(
    `the deadline ${quoted(text)} is over before the run begins`,
    "it counts from now, not from --at",
  );
}

function momentOf(option: string, text: string, now: number): number {
  const time = readMoment(text, now, "ahead");
  if (time !== null) return time;
  throw new UsageError(`${option} takes ${MOMENT}, not ${quoted(text)}`);
}

/** As over HTTP: it must fit a header. */
export function readKey(text: string | null): string | null {
  if (text === null || isStartKey(text)) return text;
  throw new UsageError("--key takes 1 to 255 visible ASCII characters, without spaces");
}
