import type { RunStatus } from "./run-state.js";

export const WORDS: { readonly [S in RunStatus]: string } = {
  queued: "Queued",
  running: "Running",
  suspended: "Waits",
  stuck: "Stuck",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
  refused: "Not run",
};

/** The status of a run, which is said when it changes. Its sign is the style's: colour is never alone. */
export const StatusWord = ({ status }: { readonly status: RunStatus }) => (
  <output class={`status ${status}`}>{WORDS[status]}</output>
);
