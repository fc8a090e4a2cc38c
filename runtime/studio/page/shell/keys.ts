import type { Signal } from "@preact/signals";
import { chooseProblem, goTo } from "../choose.js";
import { DEBUG_COMMANDS } from "../debug/debug-keys.js";
import { askToSave } from "../editing/review/review-state.js";
import { redo, undo } from "../editing/sheet-editing.js";
import { PICTURE_KEYS } from "../picture/picture-keys.js";
import { mayRunHere, pressRun } from "../run/press-run.js";
import { SCREENS, screensThere } from "../screens/screens.js";
import { GRID_KEYS } from "../sheet/grid-keys.js";
import { focusGrid } from "../sheet/grid-view.js";
import { entry } from "../state.js";
import { changeTheme } from "../theme.js";
import { chordOf, isField, isPlain } from "./chord.js";
import { isDialogOpen } from "./dialog.js";
import type { Command, KeyGroup, KeyLine } from "./key-line.js";
import { goRound } from "./stops.js";
import { commands, drawerIsShown, findIsOpen, keysAreShown, lastPlace, railIsShown } from "./whereabouts.js";

/** What can be done everywhere, by its keys or by its name. */
const COMMANDS: readonly Command[] = [
  { keys: ["Ctrl+S"], says: "save now, or look at what is to be saved", act: askToSave },
  { keys: ["Ctrl+Z"], says: "take the last step back", also: "undo", leavesFields: true, act: undo },
  { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], says: "do it again", also: "redo", leavesFields: true, act: redo },
  { keys: ["Ctrl+Enter"], says: "run the graph", act: pressRun, isThere: mayRunHere },
  {
    keys: ["Ctrl+K"],
    says: "find a node, graph, sheet, run or command",
    act: () => turn(findIsOpen),
    isThere: () => !findIsOpen.value,
  },
  ...DEBUG_COMMANDS,
  { keys: ["F8"], says: "go to the next problem", act: () => toProblem(1) },
  { keys: ["Shift+F8"], says: "go to the problem before", act: () => toProblem(-1) },
  ...SCREENS.map(
    ({ name, title }): Command => ({
      ...{ keys: [], says: `go to ${title}`, act: () => goTo(lastPlace(name)) },
      isThere: () => screensThere().some((screen) => screen.name === name),
    }),
  ),
  { keys: ["Ctrl+B"], says: "show or hide the rail", act: () => turn(railIsShown) },
  { keys: ["Ctrl+J"], says: "show or hide the drawer", act: () => turn(drawerIsShown) },
  { keys: [], says: "change between light and dark colours", act: changeTheme },
  { keys: ["?"], says: "show all keys", act: () => turn(keysAreShown) },
];

/** The keys of the grid, such as that of the fix, go on from there. A field keeps what is being written in it. */
function toProblem(step: 1 | -1): void {
  chooseProblem(step);
  if (!isField(document.activeElement)) focusGrid();
}

const turn = (is: Signal<boolean>): void => {
  is.value = !is.value;
};

const EVERYWHERE: readonly KeyLine[] = [
  ...COMMANDS.filter(({ keys }) => keys.length > 0),
  { keys: ["F6"], says: "go to the next part of the page", act: () => goRound(1) },
  { keys: ["Shift+F6"], says: "go to the part before", act: () => goRound(-1) },
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
  commands.value = COMMANDS;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || entry.value !== "in" || isDialogOpen()) return;
    const chord = chordOf(event);
    if (isPlain(chord) && isField(event.target)) return;
    const line = EVERYWHERE.find(({ keys, act }) => act !== undefined && keys.includes(chord));
    if (line?.act === undefined || line.isThere?.() === false) return;
    if (line.leavesFields === true && isField(event.target)) return;
    event.preventDefault();
    line.act(event);
  });
}

function goToScreen(number: number): void {
  const screen = screensThere()[number - 1];
  if (screen !== undefined) goTo(lastPlace(screen.name));
}
