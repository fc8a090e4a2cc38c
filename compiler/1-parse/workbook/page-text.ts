import { quoteCell } from "../text/edit-cell.js";

/** A cell as a page has it. */
export const pageCell = (text: string): string =>
  /[",\r\n]/.test(text) || text.startsWith("\ufeff") ? quoteCell(text) : text;
