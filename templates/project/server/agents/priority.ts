import { Agent } from "flowsheet";

export interface PriorityInputs {
  readonly subject: string;
  readonly body: string;
}

export interface PriorityResult {
  readonly priority: "low" | "normal" | "high";
}

const HIGH = /\b(?:down|outage|urgent|data loss|nobody can)\b/i;
const LOW = /\b(?:question|how do i|feedback|thank)\b/i;

/** Rates a ticket by its words. In a sheet its type is priority. */
export class PriorityAgent extends Agent<PriorityInputs, PriorityResult> {
  override process({ subject, body }: PriorityInputs): PriorityResult {
    const text = `${subject}\n${body}`;
    if (HIGH.test(text)) return { priority: "high" };
    return { priority: LOW.test(text) ? "low" : "normal" };
  }
}
