export { Agent, type AgentContext, defineAgent, fail, type Outcome } from "./agent.js";
export { human } from "./asking/human.js";
export { input } from "./asking/input.js";
export {
  csvReader,
  csvWriter,
  fileReader,
  fileWriter,
  jsonReader,
  jsonWriter,
  type Receipt,
} from "./data/data-files.js";
export { list } from "./data/list.js";
export { branching } from "./deciding/branching.js";
export { orchestrator, switching, switching as switch } from "./deciding/choosing.js";
export { echo } from "./deciding/echo.js";
export { failure, success } from "./deciding/ends.js";
export { formula } from "./deciding/formula.js";
export { subgraph } from "./graphs/subgraph.js";
export { type EachFunction, type EachState, type ItemError, subgraphEach } from "./graphs/subgraph-each.js";
export { askModel, type Question } from "./models/ask-model.js";
export { anthropic, google, llm, openai } from "./models/llm.js";
export { summary } from "./models/summary.js";
export { http } from "./outside/http.js";
export { mail } from "./outside/mail.js";
export { mcp } from "./outside/mcp.js";
export { notify } from "./outside/notify.js";
export { sql } from "./outside/sql.js";
export { wait } from "./outside/wait.js";
export { AgentRegistry, type Builtin, builtins, builtinType, customType, normalizeType } from "./registry.js";
