import { Agent } from "flowsheet/agents";

/** What may be unset comes as undefined, under its name: so it says also where that differs from a lack of it. */
export interface TipInputs {
  readonly topic: string;
  readonly hint?: string | undefined;
  readonly from?: string | undefined;
}

export class TipAgent extends Agent<TipInputs, { tip: string }> {
  override process({ topic, hint = "no hint", from = "nowhere" }: TipInputs): { tip: string } {
    return { tip: `${topic}: ${hint}, from ${from}` };
  }
}
