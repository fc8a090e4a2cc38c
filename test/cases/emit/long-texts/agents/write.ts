import { Agent, type AgentContext } from "flowsheet/agents";

interface Inputs {
  readonly customer: string;
  readonly order_number: string | number;
  readonly reason_for_writing?: unknown;
}

export class Write extends Agent<Inputs, { letter: string }> {
  override process(_: Inputs, { prompt }: AgentContext): { letter: string } {
    return { letter: prompt ?? "" };
  }
}
