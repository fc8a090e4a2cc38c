export { analyzeSheet } from "./analyze.js";
export { normalizeAgent } from "./draft.js";
export { formatType } from "./format-type.js";
export { customType } from "./nodes.js";
