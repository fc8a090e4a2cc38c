import type { JSX } from "preact";
import { RunPanel } from "../run/run-panel.js";
import { Problems } from "../sheet/problems.js";
import { chosenTab, problemList, session } from "../state.js";
import { later } from "./later.js";
import { drawerIsShown } from "./whereabouts.js";

/** A tab of the drawer. */
export interface DrawerTab {
  readonly name: string;
  readonly title: string;
  readonly View: () => JSX.Element | null;
  /** False where the server has no such thing, or the caller no right to it. */
  readonly isThere: () => boolean;
  /** A number beside the title; nothing is shown for 0. */
  readonly badge: () => number;
}

const mayRun = (): boolean => session.value?.can.includes("execute") === true;

/** The tabs in their order. */
const TABS: readonly DrawerTab[] = [
  { name: "run", title: "Run", View: RunPanel, isThere: mayRun, badge: () => 0 },
  {
    name: "problems",
    title: "Problems",
    View: Problems,
    isThere: () => true,
    badge: () => problemList.value.length,
  },
  {
    name: "tests",
    title: "Tests",
    View: later("TestsView"),
    isThere: () => mayRun() && session.value?.features.tests === true,
    badge: () => 0,
  },
];

export const tabsThere = (): readonly DrawerTab[] => TABS.filter(({ isThere }) => isThere());

/** The one that was chosen; until then problems where there are some. */
export function tabNow(): DrawerTab | undefined {
  const tabs = tabsThere();
  const named = (wanted: string | null): DrawerTab | undefined => tabs.find(({ name }) => name === wanted);
  return named(chosenTab.value) ?? named(problemList.value.length > 0 ? "problems" : "run") ?? tabs[0];
}

export function showTab(name: string): void {
  chosenTab.value = name;
  drawerIsShown.value = true;
}
