import { customType, normalizeAgent } from "../../agent-name.js";
import { FUNCTIONS } from "../../formula/functions.js";
import { spelledName } from "../../formula/spell.js";
import type { Offer, Offers } from "./completion.js";
import { cellOf, type Here } from "./here.js";
import { nameOffers } from "./prompt.js";

/** Whether the row of the caret is a formula, also where it decides or cannot be read yet. */
export const isFormula = (here: Here): boolean => isOf(here, "formula");

/** Whether a setting holds a formula: the condition of a branch. */
export const isCondition = (here: Here, setting: string): boolean =>
  setting === "if" && isOf(here, "branching");

function isOf(here: Here, builtin: string): boolean {
  const written = cellOf(here, "agent_type");
  const agents = here.view.world.world.agents.filter(({ type }) => type === builtin);
  return agents.some(({ type, aliases }) =>
    [type, ...aliases].some((name) => normalizeAgent(name) === customType(written)),
  );
}

/** Names of inputs, then functions; null inside of a text. */
export function formulaOffers(here: Here): Offers | null {
  const { text, at } = here.caret;
  if ((text.slice(0, at).match(/"/g)?.length ?? 0) % 2 === 1) return null;
  let start = at;
  while (start > 0 && /[\p{L}\p{M}\p{Nd}_$]/u.test(text[start - 1] as string)) start--;
  if (text[start - 1] === "." || text[start - 1] === "'") return null;
  let end = at;
  while (end < text.length && /[\p{L}\p{M}\p{Nd}_]/u.test(text[end] as string)) end++;
  const isCall = text[end] === "(";
  const functions = [...FUNCTIONS.values()].map(
    ({ name, signature, about }): Offer => ({
      label: name,
      kind: "function",
      detail: signature,
      documentation: about,
      text: isCall ? name : `${name}(`,
      rank: 1,
    }),
  );
  const names = nameOffers(here).map((offer): Offer => ({ ...offer, text: spelledName(offer.label) }));
  return { start, end, offers: [...names, ...functions] };
}
