export { analyzeSheet } from "./analyze.js";
export type { CaseIR, CaseStatus, EachVisit, ErrorIR, MockIR } from "./case-ir.js";
export { normalizeAgent } from "./draft.js";
export { readPattern } from "./linear-pattern.js";
export { builtinName, customType } from "./nodes.js";
export { analyzeTests } from "./test-cases.js";
export { type UntypedRead, untypedReads } from "./untyped-reads.js";
