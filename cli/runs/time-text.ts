import { NEVER } from "../../runtime/graph/values/times.js";

const STEPS = [
  [1_000, "ms"],
  [60_000, "s"],
  [3_600_000, "min"],
  [86_400_000, "h"],
] as const;

/** A length of time as people say it: `40 ms`, `3.4 s`, `12 min`, `5 h`, `3 d`. */
export function elapsedText(ms: number): string {
  const length = Math.max(0, ms);
  const at = STEPS.findIndex(([most]) => length < most);
  if (at === 0) return `${Math.round(length)} ms`;
  const [unit] = [at === -1 ? 86_400_000 : STEPS[at - 1]![0]];
  const amount = length / unit;
  const rounded = at === 1 && amount < 10 ? amount.toFixed(1) : `${Math.floor(amount)}`;
  return `${rounded} ${at === -1 ? "d" : STEPS[at]![1]}`;
}

/** `2027-01-29 08:00:00 UTC` */
export const momentText = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** `  until 2027-01-29 08:00:00 UTC`, where there is a limit. */
export const untilText = (time: number | null): string =>
  time === null || time >= NEVER ? "" : `  until ${momentText(time)}`;
