export { customType, normalizeAgent } from "../agent-name.js";
export { analyzeSheet } from "./analyze.js";
export { linkTypes, type ModuleTypes } from "./fields/module-types.js";
export { type TakenType, type UntypedInput, untypedInputs } from "./fields/untyped-inputs.js";
export { builtinName } from "./nodes.js";
export type { CaseIR, CaseStatus, EachVisit, ErrorIR, MockIR } from "./tests/case-ir.js";
export { readPattern } from "./tests/pattern.js";
export { analyzeTests } from "./tests/test-cases.js";
