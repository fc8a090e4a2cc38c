export { builtinExport, builtinTypes } from "./builtin-agents.js";
export { emitIndex, emitModule, type IndexEntry, type ModuleOptions } from "./emit-module.js";
export { moduleNames } from "./module-names.js";
export { camelCase } from "./names.js";
export { inFlowOrder } from "./row-order.js";
export type { AgentImport, ChildImport, Imports, RuntimePackage } from "./scope.js";
export { childSettings, graphNames } from "./scope.js";
