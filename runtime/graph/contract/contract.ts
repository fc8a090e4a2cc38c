/** Types of graphs, agents and runs, for generated modules and agents. */

export type { FieldType, Json, MergeKind } from "../../../compiler/ir.js";
export type * from "./agents.js";
export type * from "./carrier.js";
export type * from "./events.js";
export type * from "./graphs.js";
export type * from "./observer.js";
export type * from "./runs.js";
export type { Choice, Failure, Wait } from "./signal.js";
export type * from "./waiting.js";
