import { Agent, type Failure, fail } from "flowsheet";

export interface HandbookInputs {
  readonly question: string;
}

export interface HandbookResult {
  readonly answer: string;
}

/** Words of a question, and what the handbook says about them. */
const ENTRIES: readonly (readonly [word: string, answer: string])[] = [
  ["parcel", "parcels arrive within three working days."],
  ["invoice", "you find all invoices in your account, under Orders."],
  ["password", "you can set a new password on the login page."],
];

/** Looks a question up in the handbook; signals failure when nothing fits. In a sheet its type is handbook. */
export class HandbookAgent extends Agent<HandbookInputs, HandbookResult> {
  override process({ question }: HandbookInputs): HandbookResult | Failure {
    const asked = question.toLowerCase();
    const found = ENTRIES.find(([word]) => asked.includes(word));
    return found === undefined ? fail("the handbook does not say") : { answer: found[1] };
  }
}
