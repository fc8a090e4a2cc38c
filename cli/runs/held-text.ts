import { visible } from "../../compiler/diagnostics/visible.js";
import { momentText } from "./time-text.js";

/** What holds a run, in words: the store names a thing that is missing by its kind and name alone. */
export const heldText = (held: string): string =>
  visible(/^(?:agent|graph|version) \S+$/.test(held) ? `${held} is not here` : held);

/** When a queued run is due, if that is later. */
export function dueText(run: {
  readonly status: string;
  readonly due: number | null;
  readonly held: string | null;
  readonly hasBegun: boolean;
}): string | null {
  const { status, due, held, hasBegun } = run;
  if (status !== "queued" || due === null || due <= Date.now()) return null;
  const what = held !== null ? "is tried again" : hasBegun ? "goes on" : "begins";
  return `${what} ${momentText(due)}`;
}
