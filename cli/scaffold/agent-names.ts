import { builtinName } from "../../compiler/2-analyze/index.js";
import { type AgentName, parseAgentName } from "../../compiler/scaffold/index.js";
import { builtinType } from "../../runtime/agents/builtins.js";
import { agentFacts } from "../../runtime/agents/facts.js";

export interface Refusal {
  readonly message: string;
  readonly help: string;
}

/** The names of an agent, for a name as a person or a sheet writes it; `where` says which rows of a sheet have it. */
export function readAgentName(text: string, where = ""): AgentName | Refusal {
  const shown = `${JSON.stringify(text)}${where}`;
  const name = parseAgentName(text);
  if ("refused" in name)
    return {
      message: `${shown} cannot name an agent: ${name.refused}`,
      help: "choose another name, such as NextRow",
    };
  if (builtinType(text) !== undefined)
    return { message: `${shown} is a built-in agent`, help: "use it as it is, or choose another name" };
  const type = builtinType(name.base);
  const builtin = agentFacts.find((facts) => facts.type === type);
  if (builtin === undefined) return name;
  return {
    message: `${shown} would be taken for the built-in "${builtinName(builtin, name.base)}"`,
    help: "use that, or choose another name",
  };
}
