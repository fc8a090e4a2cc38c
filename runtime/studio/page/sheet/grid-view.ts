import { useMemo } from "preact/hooks";
import { whyReadOnly } from "../editing/sheet-editing.js";
import type { Column, TableRow } from "../engine/messages.js";
import { type ChosenCell, chosen, type Opened, opened } from "../state.js";
import type { Cursor } from "./moves.js";
import { widthsOf } from "./widths.js";

export const HEAD_HEIGHT = 32;
export const NUMBER_WIDTH = 48;
export const ROW_HEIGHT = 30;

/** What is shown of a sheet. It stays the same while it is scrolled, so that only new rows are drawn. */
export function useShown({ rows: filled, columns: all, graphs }: Opened, isWhole: boolean, room: number) {
  const isReadOnly = whyReadOnly.value !== null;
  const hasGraphs = graphs.length !== 1;
  const rows = useMemo(() => (isReadOnly ? filled : [...filled, newRowOf(filled)]), [filled, isReadOnly]);
  const { columns, folded } = useMemo(() => shownColumns(all, hasGraphs, isWhole), [all, hasGraphs, isWhole]);
  const widths = useMemo(() => widthsOf(columns, filled, room - NUMBER_WIDTH), [columns, filled, room]);
  return { rows, columns, folded, widths };
}

/** The last row, which is there as soon as something is written in it. */
const newRowOf = (rows: readonly TableRow[]): TableRow => ({
  record: (rows.at(-1)?.record ?? 0) + 1,
  ...{ cells: [], isComment: false, graph: null, node: null },
});

/** Columns that no row fills are folded; the graph's is shown when there are several. */
function shownColumns(columns: readonly Column[], hasGraphs: boolean, isWhole: boolean) {
  const wanted = columns.filter(({ isGraph }) => !isGraph || hasGraphs);
  const filled = wanted.filter(({ isFilled, isNode }) => isFilled || isNode);
  return { columns: isWhole ? wanted : filled, folded: wanted.length - filled.length };
}

export function cursorOf(rows: readonly TableRow[], columns: readonly Column[]): Cursor {
  const row = rows.findIndex(({ record }) => record === chosen.value?.record);
  const column = columns.findIndex(({ index }) => index === chosen.value?.column);
  return { row: Math.max(0, row), column: Math.max(0, column) };
}

/** Scrolls only as far as needed. */
export function bringIntoView(host: HTMLElement, { row, column }: Cursor, widths: readonly number[]): void {
  const top = row * ROW_HEIGHT;
  const height = host.clientHeight - HEAD_HEIGHT;
  if (top < host.scrollTop) host.scrollTop = top;
  else if (top + ROW_HEIGHT > host.scrollTop + height) host.scrollTop = top + ROW_HEIGHT - height;
  if (column === 0) return;
  const left = widths.slice(0, column).reduce((sum, one) => sum + one, NUMBER_WIDTH);
  const pinned = NUMBER_WIDTH + (widths[0] ?? 0);
  const right = left + (widths[column] ?? 0);
  if (left < host.scrollLeft + pinned) host.scrollLeft = left - pinned;
  else if (right > host.scrollLeft + host.clientWidth) host.scrollLeft = right - host.clientWidth;
}

const LEADS: ReadonlySet<string> = new Set(["Graph", "Node", "Next", "On success", "On failure"]);

/** Where a row goes on that has only its name so far, and perhaps what comes next; null for all other cells. */
export function nextOfNewRow(columns: readonly Column[]): ChosenCell | null {
  const row = opened.value?.rows.find(({ record }) => record === chosen.value?.record);
  const [own] = columns;
  if (row === undefined || own?.isNode !== true || chosen.value?.column !== own.index) return null;
  const isFilled = ({ index }: Column): boolean => (row.cells[index] ?? "") !== "";
  if (columns.some((column) => !LEADS.has(column.name) && isFilled(column))) return null;
  const next = columns.find((column) => !column.isNode && !column.isGraph && !isFilled(column));
  return next === undefined ? null : { record: row.record, column: next.index };
}

export function focusCell(host: HTMLElement | null, record: number): void {
  host
    ?.querySelector<HTMLElement>(`[data-record="${record}"] [role="gridcell"][tabindex="0"]`)
    ?.focus({ preventScroll: true });
}

/** From elsewhere, as soon as the grid shows what was chosen. */
export function focusGrid(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus(),
  );
}

/** Where a cell begins, from the left of all columns. The first one stays where it is when the others are scrolled. */
export function leftOf(column: number, widths: readonly number[], scrolled: number): number {
  if (column === 0) return NUMBER_WIDTH + scrolled;
  return widths.slice(0, column).reduce((sum, one) => sum + one, NUMBER_WIDTH);
}

/** The cell that an element of the page stands for. */
export function cellOf(target: EventTarget | null): ChosenCell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const record = cell?.parentElement?.dataset["record"];
  const column = cell?.dataset["column"];
  return record === undefined || column === undefined
    ? null
    : { record: Number(record), column: Number(column) };
}
