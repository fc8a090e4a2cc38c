import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { RunPanel } from "../run/run-panel.js";
import { Problems } from "../sheet/problems.js";
import { chosenTab, opened, problemList, session } from "../state.js";
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
  {
    name: "module",
    title: "Module",
    View: later("ModuleView"),
    isThere: () => session.value?.features.module === true,
    badge: () => 0,
  },
];

export const tabsThere = (): readonly DrawerTab[] => TABS.filter(({ isThere }) => isThere());

/** Problems where a sheet has some when it is opened; it does not change while somebody edits. */
const first = signal("run");
let decidedFor: string | null = null;

effect(() => {
  const { name, isUnderstood, problems } = opened.value ?? { name: "", isUnderstood: false, problems: [] };
  if (!isUnderstood || name === decidedFor) return;
  decidedFor = name;
  first.value = problems.length > 0 ? "problems" : "run";
});

/** The one that was chosen, else the one that a sheet begins with. */
export function tabNow(): DrawerTab | undefined {
  const tabs = tabsThere();
  const named = (wanted: string | null): DrawerTab | undefined => tabs.find(({ name }) => name === wanted);
  return named(chosenTab.value) ?? named(first.value) ?? tabs[0];
}

export function showTab(name: string): void {
  chosenTab.value = name;
  drawerIsShown.value = true;
}
