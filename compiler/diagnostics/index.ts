export { type Catalogue, type Code, catalogue, type Params, type Rule } from "./catalogue.js";
export { Problems, type Where } from "./collect.js";
export type { AnyDiagnostic, Diagnostic, Edit, Fix, Severity } from "./diagnostic.js";
export { curedWorld, exampleWorld } from "./explanations/circumstances.js";
export type { Explanation } from "./explanations/explanation.js";
export { type Chapter, chapters, explanations } from "./explanations/index.js";
export {
  type ExplanationOptions,
  type ExplanationText,
  formatCodes,
  formatExplanation,
} from "./format-explanation.js";
export { formatGithub } from "./format-github.js";
export { formatJson } from "./format-json.js";
export { formatReference } from "./format-reference.js";
export { formatSarif, type SarifOptions } from "./format-sarif.js";
export { formatText, type TextOptions } from "./format-text.js";
export { LIST_LIMIT, type Sources } from "./listing.js";
export {
  createReport,
  type Report,
  type ReportDiagnostic,
  type ReportEdit,
  type ReportFix,
  type ReportGraph,
} from "./report.js";
export { createSuggester, suggest } from "./suggest.js";
export { visible } from "./visible.js";
