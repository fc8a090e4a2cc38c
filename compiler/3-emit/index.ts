export { CONTRACT, emitIndex, emitModule, type ModuleOptions } from "./emit-module.js";
export { camelCase, kebabCase } from "./names.js";
export type { AgentImport } from "./scope.js";
