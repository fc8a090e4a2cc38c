import { BreakMark } from "../debug/break-mark.js";
import { cellKey } from "../editing/changes.js";
import type { Block } from "../editing/selection.js";
import { conflictOf, flashing } from "../editing/sheet-editing.js";
import type { Column, Problem, TableRow } from "../engine/messages.js";
import type { Mark } from "../run/run-state.js";
import { ROW_HEIGHT } from "./grid-view.js";
import { oneLine } from "./shown-text.js";

export interface RowView {
  readonly row: TableRow;
  readonly index: number;
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly problems: readonly Problem[];
  /** Of the chosen cell; null in every other row. */
  readonly chosenColumn: number | null;
  readonly isDimmed: boolean;
  /** It is not there yet. */
  readonly isNew: boolean;
  /** The chosen cells, when some of them are in this row. */
  readonly range: Block | null;
  /** What a run has made of it. */
  readonly mark: Mark | null;
}

/** A component that has read a signal is drawn anew only when that or one of its props has changed. */
export function GridRow(view: RowView) {
  const flashed = flashing.value;
  const { row, index, columns, chosenColumn, isDimmed, isNew, mark } = view;
  const kind = `${chosenColumn === null ? "" : " chosen"}${isDimmed ? " dimmed" : ""}${isNew ? " new" : ""}`;
  return (
    <div
      role="row"
      class={`row${kind}`}
      aria-rowindex={index + 2}
      data-record={row.record}
      data-mark={mark}
      style={{ top: `${index * ROW_HEIGHT}px` }}
    >
      <div role="rowheader" class="number" aria-colindex={1}>
        {isNew ? "+" : row.record + 1}
        {mark === null ? null : <span class="unseen">, {mark}</span>}
        <BreakMark row={row} />
      </div>
      {row.isComment ? comment(view) : columns.map((_, at) => cell(view, at, flashed))}
    </div>
  );
}

// Cells are no components: a page of them is drawn in a frame.
function comment({ row, columns, widths, chosenColumn }: RowView) {
  const width = widths.reduce((sum, one) => sum + one, 0);
  const text = oneLine(row.cells.filter((cell) => cell !== "").join(", "));
  return (
    <div
      role="gridcell"
      class="cell comment"
      aria-colindex={2}
      aria-colspan={columns.length}
      aria-selected={chosenColumn !== null}
      tabIndex={chosenColumn === null ? -1 : 0}
      data-column={columns[0]?.index}
      style={{ width: `${width}px` }}
    >
      {text}
    </div>
  );
}

function cell(view: RowView, at: number, flashed: ReadonlySet<string>) {
  const { row, columns, widths, problems, chosenColumn, range, isNew } = view;
  const { index = -1, isNode = false } = columns[at] ?? {};
  const conflict = conflictOf(row, index);
  const text = conflict?.text ?? row.cells[index] ?? "";
  const own = problems.filter(({ span }) => span?.column === index);
  const problem =
    conflict === null ? (own.find(({ severity }) => severity === "error") ?? own[0]) : undefined;
  const isChosen = chosenColumn === index;
  const isInRange = range !== null && range.left <= at && at <= range.right;
  const kind = [
    ...[isNode ? " pinned" : "", problem === undefined ? "" : ` ${problem.severity}`],
    ...[
      isInRange ? " in-range" : "",
      conflict === null ? "" : " conflict",
      flashed.has(cellKey(row.record, index)) ? " flash" : "",
    ],
  ];
  return (
    <div
      key={at}
      role="gridcell"
      class={`cell${kind.join("")}`}
      aria-colindex={at + 2}
      aria-selected={isChosen || isInRange}
      tabIndex={isChosen ? 0 : -1}
      data-column={index}
      style={{ width: `${widths[at]}px` }}
      {...saidOf(text, problem, conflict !== null)}
    >
      {isNew && isNode ? <span class="quiet">new step</span> : null}
      {problem === undefined ? oneLine(text) : <Marked text={text} problem={problem} />}
    </div>
  );
}

/** What is heard of a cell beside its text. */
function saidOf(text: string, problem: Problem | undefined, isConflict: boolean) {
  if (isConflict)
    return {
      "aria-invalid": true,
      "aria-label": `${oneLine(text)}. conflict: it was changed elsewhere, too`,
    };
  if (problem === undefined) return {};
  return {
    "aria-invalid": true,
    "aria-label": `${oneLine(text)}. ${problem.severity}: ${problem.message}`,
  };
}

/** The text with the stretch underlined that the problem is about. */
function Marked({ text, problem }: { readonly text: string; readonly problem: Problem }) {
  const { start = 0, end = 0 } = problem.span ?? {};
  if (text === "") return <span class="marked empty">empty</span>;
  const [from, to] = end > start ? [start, end] : [0, text.length];
  return (
    <>
      {oneLine(text.slice(0, from))}
      <span class="marked">{oneLine(text.slice(from, to))}</span>
      {oneLine(text.slice(to))}
    </>
  );
}
