import { Agent } from "flowsheet/agents";

export class Weigh extends Agent<{ weight: number; speed: "fast" | "slow" }, number> {
  override process({ weight, speed }: { weight: number; speed: "fast" | "slow" }): number {
    return speed === "fast" ? weight * 2 : weight;
  }
}
