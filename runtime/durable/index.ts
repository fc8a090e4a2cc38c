/** The package's export `flowsheet/runs`: runs that outlive their process. */

export {
  createExecutor,
  type Executor,
  type ExecutorOptions,
  type RunDetail,
  type RunHandle,
  type RunnableGraph,
  type StartOptions,
} from "./handle.js";
export type { RunFit } from "./moves.js";
export type { EventRow, RunRow, RunStatus } from "./rows.js";
export type { RowPage, RowQuery } from "./store.js";
export { StoreError, type StoreErrorCode } from "./store-error.js";
export type { Worker, WorkOptions } from "./worker.js";
