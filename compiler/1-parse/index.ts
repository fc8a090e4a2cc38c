export { parsePromptText } from "./cells/prompt.js";
export { parseSheet } from "./sheet.js";
export { type CaseCell, parseTests, type TestCase, type TestSheet } from "./test-sheet.js";
export { editCell, editCellParts } from "./text/edit-cell.js";
export { isEncoding } from "./text/encoding.js";
export type { SheetSource } from "./text/open-page.js";
export { cellName, cellSpan, locate, placeOf, type RecordSpan, rowPlace } from "./text/places.js";
