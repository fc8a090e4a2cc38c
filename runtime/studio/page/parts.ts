/** What is not seen at first: a file of its own, loaded when the page stands. */
export { DebugPanel } from "./debug/debug-panel.js";
export { Review } from "./editing/review/review.js";
export { InboxScreen } from "./inbox/inbox-screen.js";
export { ModuleView } from "./module/module-view.js";
export { RowPanel } from "./row/row-panel.js";
export { RunsScreen } from "./runs/runs-screen.js";
export { FirstSheet } from "./screens/first-sheet.js";
export { KeyScreen } from "./screens/key-screen.js";
export { Find } from "./shell/find/find.js";
export { KeepCase } from "./tests/keep-case.js";
export { TestsView } from "./tests/tests-view.js";
