import { signal } from "@preact/signals";
import { isReviewed, notice, saveNow, saveState } from "../sheet-editing.js";

export const reviewIsOpen = signal(false);

/** Saves at once, or shows what would be saved where somebody has to look at it first. */
export function askToSave(): void {
  // A cell that is being written is kept when it is left.
  if (document.activeElement instanceof HTMLTextAreaElement) document.activeElement.blur();
  if (!isReviewed.value) void saveNow();
  else if (saveState.value.kind === "saved") notice.value = "There is nothing to save.";
  else reviewIsOpen.value = true;
}
