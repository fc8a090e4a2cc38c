import { working } from "../counted-time.js";
import type { Run } from "./run-state.js";

/** Shorter waits are those of the machine. */
const WORTH_SAYING_MS = 1_000;

/** How long a run took in all, and how much of that it worked: the rest it waited. */
export function timesOf({ durationMs: worked, tookMs: took = null }: Run): string {
  if (worked === null) return took === null ? "" : ` · took ${working(took)}`;
  if (took === null) return ` · worked ${working(worked)}`;
  return took - worked < WORTH_SAYING_MS
    ? ` · took ${working(took)}`
    : ` · took ${working(took)}, worked ${working(worked)}`;
}
