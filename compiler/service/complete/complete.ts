import type { TestColumn } from "../../ir.js";
import type { View } from "../document.js";
import { layoutOf, type Meaning } from "../layout.js";
import { type Caret, caretAt } from "./caret.js";
import { caseOffers, entryOffers } from "./cases.js";
import { type Completion, type Offer, type Offers, say } from "./completion.js";
import { fieldListOffers } from "./fields.js";
import { formulaOffers, isCondition, isFormula } from "./formula.js";
import { headerOffers } from "./header.js";
import { type Here, hereAt } from "./here.js";
import { agentOffers, graphOffers, newNodeOffers, targetOffers } from "./names.js";
import { promptOffers } from "./prompt.js";
import { contextOffers, settingCellOffers } from "./settings.js";

/** So many are handed out at most: then more letters bring others. */
export const MOST_COMPLETIONS = 500;

/** What may be written at an offset of the text, the likeliest first. */
export function complete(view: View, offset: number): readonly Completion[] {
  const layout = layoutOf(view);
  const caret = layout === null ? null : caretAt(layout.page, offset);
  if (layout === null || caret === null || caret.record < layout.headerRecord) return [];
  if (caret.record === layout.headerRecord) return written(caret, headerOffers(view, layout, caret));
  const meaning = layout.meanings[caret.column];
  const offers = meaning === undefined ? null : offersFor(hereAt(view, layout, caret), meaning);
  return offers === null ? [] : written(caret, offers);
}

function offersFor(here: Here, meaning: Meaning): Offers | null {
  if (meaning.kind === "setting")
    return isCondition(here, meaning.name) ? formulaOffers(here) : settingCellOffers(here, meaning.name);
  if (meaning.kind === "test") return caseOffers(here, meaning.name satisfies TestColumn);
  if (meaning.kind === "entry") return entryOffers(here, meaning.of, meaning.key);
  if (meaning.kind !== "column") return null;
  switch (meaning.name) {
    case "graph_name":
      return graphOffers(here);
    case "node_name":
      return newNodeOffers(here);
    case "agent_type":
      return agentOffers(here);
    case "context":
      return contextOffers(here);
    case "input_fields":
    case "output_field":
      return fieldListOffers(here, meaning.name);
    case "prompt":
      return isFormula(here) ? formulaOffers(here) : promptOffers(here);
    case "description":
      return null;
    default:
      return targetOffers(here);
  }
}

/** The offers as edits of the file, in their order. */
function written(caret: Caret, { start, end, offers, write = textOf }: Offers): readonly Completion[] {
  const typed = caret.text.slice(start, Math.max(start, caret.at));
  const completions: Completion[] = [];
  for (const offer of firstOf(fitting(offers, typed))) {
    const { label, kind } = offer;
    const edit = caret.write({ start, end }, write(offer));
    if (edit === null) continue;
    const range = { start: edit.start, end: edit.end };
    const [detail, documentation] = [say(offer.detail), say(offer.documentation)];
    const filter = filterOf(caret, edit.start, typed, label);
    const sort = String(completions.length).padStart(4, "0");
    completions.push({ label, kind, detail, documentation, edit: { range, text: edit.text }, filter, sort });
  }
  return completions;
}

const textOf = ({ label, text = label }: Offer): string => text;

/** Of very many offers, those that the typed letters may stand for. */
function fitting(offers: readonly Offer[], typed: string): readonly Offer[] {
  const wanted = typed.replaceAll(/["'\s]/g, "").toLowerCase();
  if (offers.length <= MOST_COMPLETIONS || wanted === "") return offers;
  return offers.filter(({ label }) => label.replaceAll(" ", "").toLowerCase().includes(wanted));
}

/** The first by their ranks, as many as are handed out. */
function firstOf(offers: readonly Offer[]): readonly Offer[] {
  const found: Offer[] = [];
  const ranks = new Set(offers.map(({ rank = 0 }) => rank));
  for (const wanted of [...ranks].sort((a, b) => a - b)) {
    for (const offer of offers)
      if ((offer.rank ?? 0) === wanted && found.length < MOST_COMPLETIONS) found.push(offer);
    if (found.length === MOST_COMPLETIONS) break;
  }
  return found;
}

/** What stands in the file before the item, the quotes that open it, and the label. */
function filterOf({ page, offset }: Caret, start: number, typed: string, label: string): string {
  const raw = page.text.slice(start, offset);
  const word = typed.replace(/^["']+/, "");
  return raw.endsWith(word) ? raw.slice(0, raw.length - word.length) + label : raw + label;
}
