import { Agent, type AgentContext } from "flowsheet/agents";

export class TellAgent extends Agent<{ points: number; why: string }, string> {
  override process({ points }: { points: number; why: string }, { prompt }: AgentContext): string {
    return `${points}: ${prompt}`;
  }
}
