import { Agent } from "flowsheet/agents";

export interface Remark {
  readonly by: string;
}

export class Note extends Agent<{ seed: unknown }, { best: string; notes: Remark }> {
  override process({ seed }: { seed: unknown }): { best: string; notes: Remark } {
    return { best: String(seed), notes: { by: String(seed) } };
  }
}
