import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseCell } from "../choose.js";
import { clearCells, copied, paste } from "../editing/block-actions.js";
import { openCell, openEditor } from "../editing/open-editor.js";
import { anchor, chosenBlock, holds } from "../editing/selection.js";
import { whyReadOnly } from "../editing/sheet-editing.js";
import { OWN_CELLS } from "../editing/text/clipboard.js";
import type { Column, Problem, TableRow } from "../engine/messages.js";
import { marks } from "../run/run-state.js";
import { chordOf } from "../shell/chord.js";
import { type ChosenCell, chosen, graph, type Opened, problemsByRecord } from "../state.js";
import { CellEditor, type Onward } from "./cell-editor.js";
import { commandFor, fallsThrough, showRowMenu } from "./grid-commands.js";
import { Head } from "./grid-head.js";
import { GridRow } from "./grid-row.js";
import {
  bringIntoView,
  cellOf,
  cursorOf,
  focusCell,
  HEAD_HEIGHT,
  leftOf,
  NUMBER_WIDTH,
  nextOfNewRow,
  ROW_HEIGHT,
  useShown,
} from "./grid-view.js";
import { openMenu } from "./menu.js";
import { type Cursor, moved } from "./moves.js";

/** Rows above and below what is in view. */
const SPARE = 4;

interface InView {
  readonly first: number;
  readonly count: number;
  readonly width: number;
}

/** Always the same list, so that rows without problems are not drawn anew. */
const NO_PROBLEMS: readonly Problem[] = [];

/** Where the cursor goes from a cell that is kept. */
const ONWARD: { readonly [W in Onward]: string } = {
  down: "ArrowDown",
  up: "ArrowUp",
  right: "ArrowRight",
  left: "ArrowLeft",
  stay: "",
};

/** The sheet as a grid. Only the rows in view are in the page, and the chosen one, which may have the focus. */
export function Grid({ sheet }: { readonly sheet: Opened }) {
  const [isWhole, setWhole] = useState(false);
  const [{ first, count, width: room }, setView] = useState<InView>({ first: 0, count: 40, width: 800 });
  const host = useRef<HTMLDivElement>(null);
  const awaitsFocus = useRef(false);
  const isReadOnly = whyReadOnly.value !== null;
  const shown = useShown(sheet, isWhole, room);
  const { rows, columns, widths, folded } = shown;
  const at = cursorOf(rows, columns);
  const block = anchor.value === null ? null : chosenBlock(shown);
  const editor = openEditor.value;

  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0, clientWidth = 0 } = host.current ?? {};
    const next = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - SPARE);
    const fits = Math.ceil(clientHeight / ROW_HEIGHT) + 2 * SPARE;
    if (next !== first || fits !== count || clientWidth !== room)
      setView({ first: next, count: fits, width: clientWidth });
  };
  const looks = useRef(look);
  looks.current = look;
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => looks.current());
    if (host.current !== null) watch.observe(host.current);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (host.current !== null) bringIntoView(host.current, at, widths);
    look();
    // What chooses a cell from elsewhere takes the focus along when it is in the grid.
    if (host.current?.contains(document.activeElement) && openEditor.value === null) focusChosen();
  }, [chosen.value, sheet.name]);

  const giveFocus = (): void => {
    if (!awaitsFocus.current || openEditor.value !== null) return;
    awaitsFocus.current = false;
    if (openMenu.value === null) focusCell(host.current, chosen.value?.record ?? -1);
  };
  const focusChosen = (): void => {
    awaitsFocus.current = true;
    // The frame is for a choice that draws nothing anew.
    requestAnimationFrame(giveFocus);
  };
  // The next rendering gives the cell its tab stop. A key may come before the next frame.
  useLayoutEffect(giveFocus);
  const choose = ({ row, column }: Cursor, isRange = false): void => {
    const [record, index] = [rows[row]?.record, columns[column]?.index];
    if (record === undefined || index === undefined) return;
    anchor.value = isRange ? (anchor.value ?? chosen.value) : null;
    chooseCell(record, index);
    focusChosen();
  };
  const go = (key: string, isFar: boolean, isRange = false): boolean => {
    const page = Math.max(1, Math.floor(((host.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT) - 1);
    const now = cursorOf(rows, columns);
    // The edge of the sheet is its last row, not the one that is not there yet.
    const count = isFar ? Math.max(1, sheet.rows.length) : rows.length;
    const to = moved(key, isFar, now, { rows: count, columns: columns.length, page });
    if (to !== null) choose(to, isRange);
    return to !== null;
  };
  const command = () => ({
    at: chosen.value ?? { record: -1, column: 0 },
    shown,
    cell: host.current?.querySelector('[role="gridcell"][tabindex="0"]') ?? null,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const isFar = event.ctrlKey || event.metaKey;
    if (!event.altKey && go(event.key, isFar, event.shiftKey)) {
      event.preventDefault();
      return;
    }
    const act = isReadOnly && event.key !== "F4" ? readOnlyCommand(event) : commandFor(event, chordOf(event));
    if (act === null || event.target instanceof HTMLButtonElement) return;
    if (fallsThrough(event) && !isFar) event.stopPropagation();
    else event.preventDefault();
    act(command());
  };
  const chooseBy = (cell: ChosenCell | null, isRange: boolean): void => {
    const row = rows.findIndex(({ record }) => record === cell?.record);
    const column = columns.findIndex(({ index }) => index === cell?.column);
    if (row >= 0 && column >= 0) choose({ row, column }, isRange);
  };
  const onward = (where: Onward): void => {
    const next = where === "down" ? nextOfNewRow(columns) : null;
    if (next !== null) chooseBy(next, false);
    else if (!go(ONWARD[where], false)) focusChosen();
  };
  const showMenuOf = (event: MouseEvent): void => {
    const cell = cellOf(event.target);
    if (cell === null || isReadOnly) return;
    event.preventDefault();
    if (
      block === null ||
      !holds(
        block,
        rows.findIndex(({ record }) => record === cell.record),
      )
    )
      chooseBy(cell, false);
    showRowMenu({ left: event.clientX, top: event.clientY }, command());
  };

  const listed = rows.slice(first, first + count).map((row, i) => ({ row, index: first + i }));
  const away = rows[at.row];
  if (away !== undefined && (at.row < first || at.row >= first + count))
    listed.push({ row: away, index: at.row });
  // A comment is one text across all columns.
  const written = rows[at.row]?.isComment ? 0 : at.column;
  const width = widths.reduce((sum, one) => sum + one, NUMBER_WIDTH);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what happens in the cells comes up to here.
    <div
      class="grid"
      ref={host}
      onScroll={look}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        if (event.button === 0 && openEditor.value === null) chooseBy(cellOf(event.target), event.shiftKey);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1 && openEditor.value === null) chooseBy(cellOf(event.target), true);
      }}
      onClick={(event) => chooseBy(cellOf(event.target), event.shiftKey || anchor.value !== null)}
      onDblClick={({ target }) => {
        const cell = cellOf(target);
        if (cell !== null) openCell(cell);
      }}
      onContextMenu={showMenuOf}
      onCopy={(event) => give(event, copied(shown))}
      onCut={(event) => {
        if (give(event, copied(shown))) clearCells(shown);
      }}
      onPaste={(event) => {
        if (openEditor.value !== null) return;
        event.preventDefault();
        if (event.clipboardData !== null) paste(shown, event.clipboardData);
      }}
    >
      <div
        role="grid"
        aria-label={`Sheet ${sheet.name}`}
        aria-readonly={isReadOnly}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
      >
        <div role="rowgroup" class="head" style={{ minWidth: `${width}px` }}>
          <Head columns={columns} widths={widths}>
            {folded > 0 || isWhole ? (
              <div role="columnheader" aria-colindex={columns.length + 2}>
                <button type="button" class="fold" onClick={() => setWhole(!isWhole)}>
                  {isWhole ? "Fewer" : `+${folded}`}
                  <span class="unseen">{isWhole ? " columns" : " empty columns"}</span>
                </button>
              </div>
            ) : null}
          </Head>
        </div>
        <div
          role="rowgroup"
          class="body"
          style={{ height: `${rows.length * ROW_HEIGHT}px`, width: `${width}px` }}
        >
          {listed.map(({ row, index }) => (
            <GridRow
              key={row.record}
              {...{ row, index, columns, widths }}
              isNew={index === sheet.rows.length}
              problems={problemsByRecord.value.get(row.record) ?? NO_PROBLEMS}
              chosenColumn={index === at.row ? (columns[at.column]?.index ?? null) : null}
              range={block !== null && holds(block, index) ? block : null}
              mark={marks.value.get(row.record) ?? null}
              isDimmed={row.graph !== null && row.graph !== graph.value?.name}
            />
          ))}
        </div>
      </div>
      {editor === null ? null : (
        <CellEditor
          key={`${editor.record} ${editor.column}`}
          editor={editor}
          name={nameOf(rows[at.row], columns[at.column])}
          box={{
            top: HEAD_HEIGHT + at.row * ROW_HEIGHT,
            left: leftOf(written, widths, host.current?.scrollLeft ?? 0),
            width: widths[written] ?? 0,
          }}
          onward={onward}
        />
      )}
    </div>
  );
}

function nameOf(row: TableRow | undefined, column: Column | undefined): string {
  if (row?.isComment) return "Comment";
  return `${column?.name ?? "Cell"}${row?.node ? ` of ${row.node}` : ""}`;
}

/** Says why nothing is written. */
function readOnlyCommand({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  const isText = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey && !/[123]/.test(key);
  const isWish = isText || key === "Enter" || key === "F2" || key === "Delete";
  return isWish ? ({ at }: { readonly at: ChosenCell }) => void openCell(at) : null;
}

/** Gives a text to the clipboard; false in a field, which gives its own. */
function give(event: ClipboardEvent, text: string): boolean {
  if (openEditor.value !== null || event.clipboardData === null) return false;
  event.preventDefault();
  event.clipboardData.setData("text/plain", text);
  event.clipboardData.setData(OWN_CELLS, "1");
  return true;
}
