import { customType } from "../../compiler/2-analyze/index.js";
import { type AgentPlan, planAgent, type UsingNode } from "../../compiler/scaffold/index.js";
import { type Refusal, readAgentName } from "./agent-names.js";

/** What is to be written of the agents that sheets are missing, and what cannot be. */
export interface MissingAgents {
  readonly plans: readonly AgentPlan[];
  readonly refusals: readonly Refusal[];
}

export const typeOf = ({ node }: UsingNode): string => customType(node.agent.written);

/** The agents that rows name and no file has, in the order of the rows. One that cannot be written keeps no other back. */
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
