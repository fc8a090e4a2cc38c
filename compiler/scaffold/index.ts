export {
  type AgentName,
  type AgentPlan,
  parseAgentName,
  planAgent,
  planGenericAgent,
  type UsingNode,
} from "./agent-plan.js";
export { completePackage, type JoinedPackage, joinPackage } from "./join-package.js";
export { keepCopies, NewFileError, type NewFiles, takenPaths, writeNewFiles } from "./new-files.js";
export { renderAgent } from "./render-agent.js";
export {
  isSample,
  isTemplateName,
  type ProjectOptions,
  renderProject,
  type Step,
  stepsOf,
  TEMPLATES,
} from "./render-project.js";
