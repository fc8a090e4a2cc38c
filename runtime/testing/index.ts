export { expectDiagnostics } from "./expect-diagnostics.js";
export { mock, type StandIn } from "./mocks.js";
export {
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from "./scripted-model.js";
export { type TestFunction, type TestSheetOptions, testSheet } from "./test-sheet.js";
