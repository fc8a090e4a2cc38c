import type { RunFit } from "../../runtime/durable/edits/moves.js";

/** A run in the JSON of `--check-runs`. */
export const describeFit = ({ graph, from, to, runId, fits, node, why }: RunFit): object => ({
  ...{ graph, from, to, run_id: runId, fits, node, why },
});
