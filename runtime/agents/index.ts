export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agent.js";
export { askModel, type Question } from "./ask-model.js";
export { branching } from "./branching.js";
export { type Builtin, builtins, builtinType, customType, normalizeType } from "./builtins.js";
export {
  csvReader,
  csvWriter,
  fileReader,
  fileWriter,
  jsonReader,
  jsonWriter,
  type Receipt,
} from "./data-files.js";
export { echo } from "./echo.js";
export { failure } from "./failure.js";
export { human } from "./human.js";
export { input } from "./input.js";
export { anthropic, google, llm, openai } from "./llm.js";
export { orchestrator } from "./orchestrator.js";
export { AgentRegistry } from "./registry.js";
export { subgraph } from "./subgraph.js";
export { type EachFunction, type EachState, type ItemError, subgraphEach } from "./subgraph-each.js";
export { success } from "./success.js";
export { summary } from "./summary.js";
export { switching, switching as switch } from "./switching.js";
