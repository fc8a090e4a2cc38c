import type { KeyLine } from "../shell/key-line.js";

/** What the grid does at keys. It listens itself. */
export const GRID_KEYS: readonly KeyLine[] = [
  { keys: ["Arrows", "PageUp", "PageDown"], says: "move" },
  { keys: ["Home", "End"], says: "first or last cell of the row" },
  { keys: ["Ctrl+Arrows", "Ctrl+Home", "Ctrl+End"], says: "move to the edge of the sheet" },
];
