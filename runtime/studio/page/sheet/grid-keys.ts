import type { KeyLine } from "../shell/key-line.js";

/** What the grid does at keys. It listens itself. */
export const GRID_KEYS: readonly KeyLine[] = [
  { keys: ["Arrows", "PageUp", "PageDown"], says: "move" },
  { keys: ["Home", "End"], says: "first or last cell of the row" },
  { keys: ["Ctrl+Arrows", "Ctrl+Home", "Ctrl+End"], says: "move to the edge of the sheet" },
  { keys: ["Enter", "F2"], says: "write in the cell; any letter writes it anew" },
  { keys: ["Enter", "Shift+Enter", "Tab", "Shift+Tab"], says: "keep what was written, and go on" },
  { keys: ["Alt+Enter"], says: "a line break in the cell" },
  { keys: ["Space"], says: "all cells of the row as a form" },
  { keys: ["Ctrl+Space"], says: "what may be written" },
  { keys: ["Esc"], says: "leave the cell as it was" },
  { keys: ["Delete"], says: "empty the chosen cells" },
  { keys: ["Shift+Arrows"], says: "choose several cells" },
  { keys: ["Ctrl+C", "Ctrl+X", "Ctrl+V"], says: "copy, cut, paste; spreadsheets understand it" },
  { keys: ["Ctrl+D"], says: "fill down" },
  { keys: ["Ctrl+."], says: "fix the cell" },
  { keys: ["Ctrl+Shift++", "Ctrl+Shift+−"], says: "insert a row below, remove the chosen rows" },
  { keys: ["Ctrl+Shift+D"], says: "duplicate the row" },
  { keys: ["Ctrl+Alt+↑", "Ctrl+Alt+↓"], says: "move the row" },
  { keys: ["F4"], says: "go to the node that the cell names; Alt+← leads back" },
];
