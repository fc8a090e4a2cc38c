import type { SheetEdit } from "../../edits/edit.js";
import { session } from "../state.js";

/** Edits that nobody has saved yet stay in this tab: a reload keeps them, and nobody else sees them. */
const keyOf = (sheet: string): string => `flowsheet-studio-draft ${session.value?.who ?? ""} ${sheet}`;

/** False where the tab has no room for them. */
export function keepDraft(sheet: string, edits: readonly SheetEdit[]): boolean {
  try {
    if (edits.length === 0) sessionStorage.removeItem(keyOf(sheet));
    else sessionStorage.setItem(keyOf(sheet), JSON.stringify(edits));
    return true;
  } catch {
    // The older one would be put on edits that have come since.
    sessionStorage.removeItem(keyOf(sheet));
    return false;
  }
}

export function keptDraft(sheet: string): readonly SheetEdit[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(sheet)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
