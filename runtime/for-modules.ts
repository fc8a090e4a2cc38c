/** What agents of a project import where only the small package is installed: `flowsheet-runtime`. */
export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agents/agent.js";
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
