import { signal } from "@preact/signals";
import { clock } from "../counted-time.js";
import { changeRun } from "./records.js";
import type { Run } from "./run-state.js";
import { WORDS } from "./status-word.js";

/** The run that was last told to go on where it had failed, and when. */
const tried = signal<{ readonly id: string; readonly at: number } | null>(null);

export const mayGoAgain = ({ status, id }: Run): boolean =>
  id !== null && /failed|cancelled|stuck/.test(status);

/** Has a run go on where it was. */
export async function goAgain(id: string): Promise<void> {
  await changeRun(id, "retry", {});
  tried.value = { id, at: Date.now() };
}

/** What came of that. Without it a run that fails in the same way looks as if nothing had been done. */
export function TriedAgain({ run: { id, status } }: { readonly run: Run }) {
  const last = tried.value;
  if (last === null || last.id !== id) return null;
  return (
    <output class="said trouble">
      Tried again at {clock(last.at)}:{" "}
      {status === "failed" ? "it has failed again" : WORDS[status].toLowerCase()}.
    </output>
  );
}
