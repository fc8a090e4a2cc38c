export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agents/agent.js";
export type { AnyGraph, Result, RunEvent, RunOptions } from "./graph/contract.js";
export {
  AgentError,
  AnswerError,
  DefinitionError,
  FlowsheetError,
  InputError,
  StaleError,
} from "./graph/errors.js";
