/** What graphs, agents and runs are: types only. Generated modules and agents stand on these files. */

export type { FieldType, Json, MergeKind } from "../../../compiler/ir.js";
export type * from "./agents.js";
export type * from "./events.js";
export type * from "./graphs.js";
export type * from "./runs.js";
export type { Choice, Failure, Wait } from "./signal.js";
export type * from "./waiting.js";
