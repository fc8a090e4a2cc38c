export { customType, normalizeAgent } from "./2-analyze/index.js";
export { type Understanding, understandSheet } from "./compile.js";
export {
  type Code,
  catalogue,
  type Diagnostic,
  type Edit,
  exampleWorld,
  explanations,
  type Fix,
  formatExplanation,
  formatGithub,
  formatJson,
  formatReference,
  formatSarif,
  formatText,
  type Severity,
} from "./diagnostics/index.js";
export type { FieldIR, FieldType, GraphIR, Json, NodeIR, Place, Sheet, SplitIR } from "./ir.js";
export { formatType } from "./types/format-type.js";
export type { AgentFacts, SettingShape, World } from "./world.js";
