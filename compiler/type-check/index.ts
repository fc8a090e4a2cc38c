export { checkTypes, type TypeCheckOptions, type TypeFindings } from "./check-types.js";
export { TypeConfigError } from "./program.js";
