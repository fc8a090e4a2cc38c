import { isNarrow } from "../row/row-list.js";
import { rowPanelIsOpen } from "../row/row-panel-state.js";
import { showTab, tabNow } from "../shell/drawer-tabs.js";
import { drawerIsShown } from "../shell/whereabouts.js";
import { graph, place, session } from "../state.js";
import { lastRun, run, wanted } from "./run-state.js";

export const mayRunHere = (): boolean =>
  session.value?.can.includes("execute") === true && place.value.sheet !== null && graph.value !== null;

/** Runs the graph with what the form holds. A form that was not in view is shown first. */
export function pressRun(): void {
  press("run", "begin");
}

/** The same for a run that is led step by step. */
export function pressStep(): void {
  press("step", "begin step");
}

function press(go: "run" | "step", begin: "begin" | "begin step"): void {
  // On a telephone the form of a row hides the drawer.
  if (isNarrow.value) rowPanelIsOpen.value = false;
  const isShown = drawerIsShown.value && tabNow()?.name === "run" && run.value === null;
  showTab("run");
  if (run.value?.status === "running") return;
  lastRun.value = null;
  wanted.value = isShown ? go : begin;
}
