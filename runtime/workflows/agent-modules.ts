import { Agent, defineAgent, fail } from "../agents/agent.js";
import * as agents from "../agents/index.js";
import { AgentError, FlowsheetError } from "../graph/contract/errors.js";
import * as graph from "../graph/index.js";

const main = { Agent, AgentError, defineAgent, fail, FlowsheetError };

/** Custom agents import these very modules, so that classes and symbols are identical. */
export const agentModules: { readonly [name: string]: object } = {
  flowsheet: main,
  "flowsheet/agents": agents,
  "flowsheet/graph": graph,
  "flowsheet-runtime": main,
  "flowsheet-runtime/agents": agents,
  "flowsheet-runtime/graph": graph,
};
