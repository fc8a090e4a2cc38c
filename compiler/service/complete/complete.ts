import type { TestColumn } from "../../ir.js";
import type { View } from "../document.js";
import { layoutOf, type Meaning } from "../layout.js";
import { type Caret, caretAt } from "./caret.js";
import { caseOffers } from "./cases.js";
import type { Completion, Offer, Offers } from "./completion.js";
import { fieldListOffers } from "./fields.js";
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
  if (meaning.kind === "setting") return settingCellOffers(here, meaning.name);
  if (meaning.kind === "test") return caseOffers(here, meaning.name satisfies TestColumn);
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
      return promptOffers(here);
    case "description":
      return null;
    default:
      return targetOffers(here);
  }
}

/** The offers as edits of the file, in their order. */
function written(caret: Caret, { start, end, offers }: Offers): readonly Completion[] {
  const typed = caret.text.slice(start, Math.max(start, caret.at));
  const ordered = [...fitting(offers, typed)].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const completions: Completion[] = [];
  for (const offer of ordered.slice(0, MOST_COMPLETIONS)) {
    const { label, kind, detail = "", documentation = "" } = offer;
    const edit = caret.write({ start, end }, offer.text ?? label);
    if (edit === null) continue;
    const range = { start: edit.start, end: edit.end };
    const filter = filterOf(caret, edit.start, typed, label);
    const sort = String(completions.length).padStart(4, "0");
    completions.push({ label, kind, detail, documentation, edit: { range, text: edit.text }, filter, sort });
  }
  return completions;
}

/** Of very many offers, those that the typed letters may stand for. */
function fitting(offers: readonly Offer[], typed: string): readonly Offer[] {
  if (offers.length <= MOST_COMPLETIONS) return offers;
  const wanted = typed.replaceAll(/["'\s]/g, "").toLowerCase();
  return offers.filter(({ label }) => label.toLowerCase().replaceAll(/\s/g, "").includes(wanted));
}

/** What stands in the file before the item, the quotes that open it, and the label. */
function filterOf({ page, offset }: Caret, start: number, typed: string, label: string): string {
  const raw = page.text.slice(start, offset);
  const word = typed.replace(/^["']+/, "");
  return raw.endsWith(word) ? raw.slice(0, raw.length - word.length) + label : raw + label;
}
