import type { JSX } from "preact";
import type { ScreenName } from "../address.js";
import { mayAnswer, waitingCount } from "../inbox/inbox-state.js";
import type { IconName } from "../shell/icon.js";
import { later } from "../shell/later.js";
import { place, session } from "../state.js";
import { SheetScreen } from "./sheet-screen.js";
import { SheetsScreen } from "./sheets-screen.js";

/** A screen of the rail. */
export interface Screen {
  /** As its address begins, and as its icon is called. */
  readonly name: ScreenName & IconName;
  readonly title: string;
  readonly View: () => JSX.Element | null;
  /** How many things wait there; nothing is shown for 0. */
  readonly badge: () => number;
  /** False where the server has no such thing, or the caller no right to it. */
  readonly isThere: () => boolean;
}

const mayRead = (): boolean => session.value?.can.includes("read") === true;

/** The screens in the order of the rail; keys 1, 2, 3 lead to them. */
export const SCREENS: readonly Screen[] = [
  {
    name: "sheets",
    title: "Sheets",
    View: () => (place.value.sheet === null ? <SheetsScreen /> : <SheetScreen />),
    badge: () => 0,
    isThere: mayRead,
  },
  { name: "runs", title: "Runs", View: later("RunsScreen"), badge: () => 0, isThere: mayRead },
  {
    name: "inbox",
    title: "Inbox",
    View: later("InboxScreen"),
    badge: () => waitingCount.value,
    isThere: mayAnswer,
  },
];

export const screensThere = (): readonly Screen[] => SCREENS.filter(({ isThere }) => isThere());

/** The screen of the address; the first one for an address that leads nowhere. */
export const screenNow = (): Screen => {
  const there = screensThere();
  const found = there.find(({ name }) => name === place.value.screen) ?? there[0];
  if (found === undefined) throw new Error("there is no screen");
  return found;
};
