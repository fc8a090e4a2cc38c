import { builtinName, customType } from "../../compiler/2-analyze/index.js";
import {
  type AgentName,
  type AgentPlan,
  parseAgentName,
  planAgent,
  type UsingNode,
} from "../../compiler/scaffold/index.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { builtinType } from "../../runtime/agents/registry.js";

export interface Refusal {
  readonly message: string;
  readonly help: string;
}

/** `where` names the rows that use the agent. */
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

export interface MissingAgents {
  readonly plans: readonly AgentPlan[];
  readonly refusals: readonly Refusal[];
}

export const typeOf = ({ node }: UsingNode): string => customType(node.agent.written);

/** In the order of the rows. One refused agent does not stop the others. */
export function missingAgents(all: readonly UsingNode[], found: ReadonlySet<string>): MissingAgents {
  const plans: AgentPlan[] = [];
  const refusals: Refusal[] = [];
  for (const using of byType(all.filter((one) => !found.has(typeOf(one))))) {
    const name = readAgentName(using[0]?.node.agent.written ?? "", whereOf(using));
    if ("message" in name) refusals.push(name);
    else plans.push(planAgent(name, using));
  }
  return { plans, refusals };
}

function byType(all: readonly UsingNode[]): Iterable<readonly UsingNode[]> {
  const types = new Map<string, UsingNode[]>();
  for (const one of all) types.set(typeOf(one), [...(types.get(typeOf(one)) ?? []), one]);
  return types.values();
}

function whereOf(using: readonly UsingNode[]): string {
  const [first] = using;
  if (first === undefined) return "";
  const more = using.length === 1 ? "" : ` and ${using.length - 1} more`;
  return ` (${first.graph.file}, row ${first.node.row}${more})`;
}
