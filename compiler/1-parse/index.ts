export { editCell, editCellParts } from "./edit-cell.js";
export { isEncoding } from "./encoding.js";
export { cellName, cellSpan, locate, rowPlace } from "./places.js";
export { parsePromptText } from "./prompt.js";
export { parseSheet, type SheetSource } from "./sheet.js";
