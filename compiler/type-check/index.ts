export { checkTypes, type TypeCheckOptions, type TypeFindings } from "./check-types.js";
export { clashOf, TypeConfigError } from "./program.js";
