export { editCell, editCellParts } from "./edit-cell.js";
export { isEncoding } from "./encoding.js";
export type { SheetSource } from "./open-page.js";
export { cellName, cellSpan, locate, placeOf, type RecordSpan, rowPlace } from "./places.js";
export { parsePromptText } from "./prompt.js";
export { parseSheet } from "./sheet.js";
export { type CaseCell, parseTests, type TestCase, type TestSheet } from "./test-sheet.js";
