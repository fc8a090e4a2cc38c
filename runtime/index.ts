export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agents/agent.js";
export { AgentLoadError } from "./agents/custom/load.js";
export { ConfigurationError } from "./config/folders.js";
export { Flowsheet, type FlowsheetOptions } from "./flowsheet.js";
export type {
  Answers,
  AnyGraph,
  Failure,
  Logger,
  Result,
  RunEvent,
  RunOptions,
  Services,
} from "./graph/contract/contract.js";
export {
  AgentError,
  AnswerError,
  DefinitionError,
  FlowsheetError,
  InputError,
  StaleError,
} from "./graph/contract/errors.js";
export type {
  Generated,
  LanguageModels,
  ModelCall,
  ModelRequest,
  Turn,
  Usage,
} from "./graph/contract/services.js";
export { GivenError, type GivenProblem } from "./runs/given-error.js";
export { RequestError, type RunSettings, type WorkflowRequest } from "./runs/request.js";
export type { RunFailure, Waiting, WorkflowResult } from "./runs/result.js";
export { type RunErrorCode, StoredRunError } from "./runs/run-error.js";
export type { WorkflowEnd, WorkflowEvent, WorkflowStream } from "./runs/stream.js";
export type { SuspendedRun } from "./runs/suspended.js";
export { WorkflowError, type WorkflowErrorCode } from "./workflows/workflow-error.js";
