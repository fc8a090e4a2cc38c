import { cellSpan } from "../../1-parse/text/places.js";
import { findSecret, isNamedSecret } from "../../diagnostics/secret-forms.js";
import type { CellSpan, JsonSpot, SettingItem } from "../../ir.js";
import { type Draft, type DraftNode, reportAt, spotSpan } from "../draft.js";

/** Warns of keys and tokens in the prompt, the settings and the description of a node. Linear in their texts. */
export function checkSecrets(draft: Draft, node: DraftNode): void {
  const { prompt, settings } = node.row;
  const found = prompt === null ? null : findSecret(prompt.text);
  if (prompt !== null && found !== null) report(draft, node, "prompt", spotSpan(prompt.at, found));
  for (const item of settings) {
    const spot = secretIn(item.name, item.spot);
    if (spot !== null) report(draft, node, "context", placeOf(item, spot));
  }
  if (!settings.some(({ name }) => name === "description")) checkWords(draft, node);
}

/** The description stands in its own column, or is all that the context holds. */
function checkWords(draft: Draft, node: DraftNode): void {
  const { sheet } = draft.analysis;
  const { row } = node;
  if (findSecret(row.description) === null) return;
  for (const column of ["description", "context"] as const) {
    const span = cellSpan(sheet, row.index, column);
    if (span === null || span.start === span.end) continue;
    report(draft, node, column, span);
    return;
  }
}

function report(
  draft: Draft,
  node: DraftNode,
  column: "prompt" | "context" | "description",
  span: CellSpan,
): void {
  reportAt(draft, node, "secret-in-sheet", { column }, { span, column });
}

const placeOf = ({ cell }: SettingItem, spot: JsonSpot): CellSpan => spotSpan(cell, spot);

/** Settings are at most some levels deep: recursion is safe. */
function secretIn(name: string, spot: JsonSpot): JsonSpot | null {
  const { value, entries = [], items = [] } = spot;
  if (typeof value === "string")
    return isNamedSecret(name, value) || findSecret(value) !== null ? spot : null;
  for (const entry of entries) {
    const found = secretIn(entry.key, entry.spot);
    if (found !== null) return found;
  }
  for (const item of items) {
    const found = secretIn(name, item);
    if (found !== null) return found;
  }
  return null;
}
