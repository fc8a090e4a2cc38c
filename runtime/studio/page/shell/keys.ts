import { chooseProblem, goTo } from "../choose.js";
import { PICTURE_KEYS } from "../picture/picture-keys.js";
import { screensThere } from "../screens/screens.js";
import { GRID_KEYS } from "../sheet/grid-keys.js";
import { entry } from "../state.js";
import { chordOf, isField, isPlain } from "./chord.js";
import type { KeyGroup, KeyLine } from "./key-line.js";
import { drawerIsShown, lastPlace, railIsShown } from "./whereabouts.js";

const EVERYWHERE: readonly KeyLine[] = [
  { keys: ["F8"], says: "next problem", act: () => chooseProblem(1) },
  { keys: ["Shift+F8"], says: "problem before", act: () => chooseProblem(-1) },
  {
    keys: ["Ctrl+B"],
    says: "show or hide the rail",
    act: () => {
      railIsShown.value = !railIsShown.value;
    },
  },
  {
    keys: ["Ctrl+J"],
    says: "show or hide the drawer",
    act: () => {
      drawerIsShown.value = !drawerIsShown.value;
    },
  },
  { keys: ["1", "2", "3"], says: "go to a screen of the rail", act: ({ key }) => goToScreen(Number(key)) },
];

/** All keys that mean something, in the order of the table of keys. */
export const KEYS: readonly KeyGroup[] = [
  { title: "Everywhere", lines: EVERYWHERE },
  { title: "In the grid", lines: GRID_KEYS },
  { title: "In the picture", lines: PICTURE_KEYS },
];

/** The keys that mean something wherever the focus is. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || entry.value !== "in") return;
    const chord = chordOf(event);
    if (isPlain(chord) && isField(event.target)) return;
    const line = EVERYWHERE.find(({ keys, act }) => act !== undefined && keys.includes(chord));
    if (line?.act === undefined || line.isThere?.() === false) return;
    event.preventDefault();
    line.act(event);
  });
}

function goToScreen(number: number): void {
  const screen = screensThere()[number - 1];
  if (screen !== undefined) goTo(lastPlace(screen.name));
}
