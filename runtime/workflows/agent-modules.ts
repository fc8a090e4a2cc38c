import { Agent, defineAgent, fail } from "../agents/agent.js";
import * as agents from "../agents/index.js";
import { AgentError, FlowsheetError } from "../graph/errors.js";
import * as graph from "../graph/index.js";

/** What a custom agent gets when it imports the package: the very modules that run it. */
export const agentModules: { readonly [name: string]: object } = {
  flowsheet: { Agent, AgentError, defineAgent, fail, FlowsheetError },
  "flowsheet/agents": agents,
  "flowsheet/graph": graph,
};
