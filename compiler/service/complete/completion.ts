import type { Range } from "../../ir.js";

/** What a completion names; editors show a sign for each. */
export type CompletionKind =
  | "graph"
  | "node"
  | "end"
  | "agent"
  | "field"
  | "run-value"
  | "setting"
  | "function"
  | "value"
  | "type"
  | "column";

/** One thing that may be written where the caret stands. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label. */
  readonly detail: string;
  readonly documentation: string;
  /** The only change of the text; it brings the quotes that the cell needs. */
  readonly edit: { readonly range: Range; readonly text: string };
  /** What the text that is replaced, up to the caret, is compared with. */
  readonly filter: string;
  /** The order of the list, as texts are ordered. */
  readonly sort: string;
}

/** Of very many offers few are shown: what costs something is said only of these. */
export type Words = string | (() => string);

export const say = (words: Words | undefined): string =>
  typeof words === "function" ? words() : (words ?? "");

/** A completion before it is put into a cell. */
export interface Offer {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: Words;
  readonly documentation?: Words;
  /** What is written; the label when it is left out. */
  readonly text?: string;
  /** Lower ones come first; equal ones stay in their order. */
  readonly rank?: number;
}

/** Offers, and the stretch of the cell's decoded text that each of them replaces. */
export interface Offers extends Range {
  readonly offers: readonly Offer[];
  /** What is written of an offer, with the signs around it; its text without this. */
  readonly write?: (offer: Offer) => string;
}
