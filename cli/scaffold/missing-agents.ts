import { builtinName } from "../../compiler/2-analyze/nodes.js";
import { customType } from "../../compiler/agent-name.js";
import {
  type AgentName,
  type AgentPlan,
  parseAgentName,
  planAgent,
  type UsingNode,
} from "../../compiler/scaffold/agent-plan.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { builtinType } from "../../runtime/agents/registry.js";
import { UsageError } from "../failure.js";

/** `where` names the rows that use the agent. */
export function readAgentName(text: string, where = ""): AgentName | UsageError {
  const shown = `${JSON.stringify(text)}${where}`;
  const name = parseAgentName(text);
  if ("refused" in name)
    return new UsageError(
      `${shown} cannot name an agent: ${name.refused}`,
      "choose another name, such as NextRow",
    );
  if (builtinType(text) !== undefined)
    return new UsageError(`${shown} is a built-in agent`, "use it as it is, or choose another name");
  const type = builtinType(name.base);
  const builtin = agentFacts.find((facts) => facts.type === type);
  if (builtin === undefined) return name;
  const taken = builtinName(builtin, name.base);
  return new UsageError(
    `${shown} would be taken for the built-in "${taken}"`,
    "use that, or choose another name",
  );
}

export const typeOf = ({ node }: UsingNode): string => customType(node.agent.written);

/** In the order of the rows. One refused agent does not stop the others. */
export function missingAgents(all: readonly UsingNode[], found: ReadonlySet<string>) {
  const plans: AgentPlan[] = [];
  const refusals: UsageError[] = [];
  for (const using of byType(all.filter((one) => !found.has(typeOf(one))))) {
    const name = readAgentName(using[0]?.node.agent.written ?? "", whereOf(using));
    if (name instanceof UsageError) refusals.push(name);
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
