/** The package's export `flowsheet/runs`: runs that outlive their process. */

export type { StartOptions } from "../runs/start-options.js";
export type { RunFit } from "./edits/moves.js";
export {
  type AnsweredBy,
  createExecutor,
  type Executor,
  type ExecutorOptions,
  type ForkOptions as ForkPoint,
  type RunDetail,
  type RunHandle,
  type RunnableGraph,
} from "./handle.js";
export type { EventRow, RunRow, RunStatus } from "./rows.js";
export type { RowPage as RunPage, RowQuery as RunQuery } from "./store.js";
export { StoreError, type StoreErrorCode } from "./store-error.js";
export type { Worker, WorkOptions } from "./worker.js";
