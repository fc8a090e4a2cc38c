import { goTo } from "../choose.js";
import { addStepOn, canAddStepOn } from "../editing/add-step.js";
import {
  clearCells,
  duplicate,
  fillDown,
  insertBelow,
  moveRow,
  removeRows,
} from "../editing/block-actions.js";
import { mend, mendable } from "../editing/mending.js";
import { openCell } from "../editing/open-editor.js";
import type { Shown } from "../editing/selection.js";
import { notice, shownRecords } from "../editing/sheet-editing.js";
import { rowPanelIsOpen } from "../row/row-panel-state.js";
import { type ChosenCell, graph, opened, place } from "../state.js";
import { type MenuItem, showMenu } from "./menu.js";

interface GridCommand {
  readonly at: ChosenCell;
  readonly shown: Shown;
  /** The chosen cell in the page. */
  readonly cell: Element | null;
}

type Command = (command: GridCommand) => void;

const openAt =
  (more: { readonly first?: string; readonly isSelected?: boolean } = {}): Command =>
  ({ at }) =>
    void openCell({ ...at, ...more });

/** A new row is named at once. */
const named = (record: number | null): void => {
  if (record !== null)
    openCell({ record, column: shownRecords()?.columnOf("node_name") ?? 0, isSelected: true });
};

/** What chords do in the grid. Shift with a sign is told by the key's place, as layouts have other signs there. */
const COMMANDS: { readonly [chord: string]: Command } = {
  Enter: openAt(),
  F2: openAt(),
  Delete: ({ shown }) => clearCells(shown),
  Backspace: openAt({ first: "" }),
  "Ctrl+D": ({ shown }) => fillDown(shown),
  "Ctrl+.": offerFixes,
  F4: goToTarget,
  " ": () => {
    rowPanelIsOpen.value = true;
  },
  "Ctrl+Alt+ArrowUp": ({ at }) => moveRow(at.record, at.column, -1),
  "Ctrl+Alt+ArrowDown": ({ at }) => moveRow(at.record, at.column, 1),
  "Ctrl+Shift+Plus": ({ at }) => named(insertBelow(at.record)),
  "Ctrl+Shift+Minus": ({ shown }) => removeRows(shown),
  "Ctrl+Shift+D": ({ at }) => named(duplicate(at.record)),
};

const SIGNS: { readonly [code: string]: string } = {
  Equal: "Plus",
  NumpadAdd: "Plus",
  BracketRight: "Plus",
  Minus: "Minus",
  NumpadSubtract: "Minus",
  Slash: "Minus",
};

/** What a key does in the grid; null for keys that mean nothing there. */
export function commandFor(event: KeyboardEvent, chord: string): Command | null {
  const sign =
    event.key === "+" ? "Plus" : event.key === "-" || event.key === "_" ? "Minus" : SIGNS[event.code];
  if ((event.ctrlKey || event.metaKey) && event.shiftKey && sign !== undefined)
    return COMMANDS[`Ctrl+Shift+${sign}`] ?? null;
  const known = COMMANDS[chord];
  if (known !== undefined) return known;
  const isText =
    event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && event.key !== " ";
  // The field has the focus before the key becomes a letter, so that it falls into it.
  return isText || event.key === "Process" || event.key === "Dead" ? openAt({ first: "" }) : null;
}

/** Whether the key itself is to go on to the field that it has opened. */
export const fallsThrough = ({ key }: KeyboardEvent): boolean =>
  (key.length === 1 && key !== " ") || key === "Process" || key === "Dead";

/** One fix is written at once; of several one is chosen. */
function offerFixes({ cell }: GridCommand): void {
  const problems = mendable();
  const [first, ...others] = problems;
  if (first === undefined) notice.value = "There is no fix for this cell.";
  else if (others.length === 0) mend(first);
  else {
    const { left = 0, bottom: top = 0 } = cell?.getBoundingClientRect() ?? {};
    const items = problems.map((problem) => ({
      title: problem.fix?.title ?? "",
      act: () => mend(problem),
    }));
    showMenu("Fixes", { left, top }, items);
  }
}

/** Goes to the first node that the cell names. */
function goToTarget({ at }: GridCommand): void {
  const text = opened.value?.rows.find(({ record }) => record === at.record)?.cells[at.column] ?? "";
  const names = text.split(/[|\r\n]/).map((name) => name.trim());
  const node = graph.value?.nodes.find(({ name }) => names.includes(name));
  if (node === undefined) notice.value = "No node of this graph stands here.";
  else goTo({ ...place.value, graph: graph.value?.name ?? null, node: node.name });
}

const WAYS: { readonly [on: string]: string } = { success: " on success", failure: " on failure" };

/** Steps that can be put between the row's node and those behind it. */
function stepItems(record: number): readonly MenuItem[] {
  const now = graph.value;
  const from = now?.nodes.findIndex((node) => node.record === record) ?? -1;
  if (now === null || from < 0) return [];
  return now.edges
    .filter((edge) => edge.from === from && canAddStepOn(edge, now))
    .map((edge) => ({
      title: `Add a step${WAYS[edge.on] ?? ""} before ${now.nodes[edge.to]?.name ?? "the end"}`,
      act: () => addStepOn(edge, now),
    }));
}

/** What can be done with a row, for those who don't know the keys. */
export function showRowMenu(at: { readonly left: number; readonly top: number }, command: GridCommand): void {
  const item = (title: string, keys: string, chord: string) => ({
    ...{ title, keys, act: () => COMMANDS[chord]?.(command) },
  });
  showMenu("Row", at, [
    ...stepItems(command.at.record),
    item("All cells as a form", "Space", " "),
    item("Insert a row below", "Ctrl+Shift++", "Ctrl+Shift+Plus"),
    item("Duplicate", "Ctrl+Shift+D", "Ctrl+Shift+D"),
    item("Move up", "Ctrl+Alt+↑", "Ctrl+Alt+ArrowUp"),
    item("Move down", "Ctrl+Alt+↓", "Ctrl+Alt+ArrowDown"),
    item("Remove", "Ctrl+Shift+−", "Ctrl+Shift+Minus"),
  ]);
}
