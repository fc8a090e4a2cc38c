export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agent.js";
export { askModel, type Question } from "./ask-model.js";
export { branching } from "./branching.js";
export { orchestrator, switching, switching as switch } from "./choosing.js";
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
export { failure, success } from "./ends.js";
export { human } from "./human.js";
export { input } from "./input.js";
export { anthropic, google, llm, openai } from "./llm.js";
export { AgentRegistry, type Builtin, builtins, builtinType, customType, normalizeType } from "./registry.js";
export { subgraph } from "./subgraph.js";
export { type EachFunction, type EachState, type ItemError, subgraphEach } from "./subgraph-each.js";
export { summary } from "./summary.js";
