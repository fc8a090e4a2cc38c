import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseCell } from "../choose.js";
import type { Column, TableRow } from "../engine/messages.js";
import { marks } from "../run/run-state.js";
import { chosen, graph, type Opened, problemsByRecord } from "../state.js";
import { GridRow, ROW_HEIGHT } from "./grid-row.js";
import { type Cursor, moved } from "./moves.js";
import { widthsOf } from "./widths.js";

const HEAD_HEIGHT = 32;
const NUMBER_WIDTH = 48;
/** Rows above and below what is in view. */
const SPARE = 6;

interface InView {
  readonly first: number;
  readonly count: number;
}

/** The sheet as a grid. Only the rows in view are in the page, and the chosen one, which may have the focus. */
export function Grid({ sheet }: { readonly sheet: Opened }) {
  const [isWhole, setWhole] = useState(false);
  const [{ first, count }, setView] = useState<InView>({ first: 0, count: 40 });
  const host = useRef<HTMLDivElement>(null);
  const { rows } = sheet;
  const { columns, folded } = shownColumns(sheet, isWhole);
  const widths = widthsOf(columns, rows);
  const at = cursorOf(rows, columns);

  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = host.current ?? {};
    const next = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - SPARE);
    const fits = Math.ceil(clientHeight / ROW_HEIGHT) + 2 * SPARE;
    if (next !== first || fits !== count) setView({ first: next, count: fits });
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    if (host.current !== null) watch.observe(host.current);
    return () => watch.disconnect();
  });
  useLayoutEffect(() => {
    if (host.current !== null) bringIntoView(host.current, at, widths);
    look();
  }, [chosen.value, sheet.name]);

  const choose = ({ row, column }: Cursor): void => {
    const [record, index] = [rows[row]?.record, columns[column]?.index];
    if (record === undefined || index === undefined) return;
    chooseCell(record, index);
    // The next rendering gives the cell its tab stop.
    requestAnimationFrame(() => focusCell(host.current, record));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(((host.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT) - 1);
    const extent = { rows: rows.length, columns: columns.length, page };
    const isFar = event.ctrlKey || event.metaKey;
    const to = event.altKey || event.shiftKey ? null : moved(event.key, isFar, at, extent);
    if (to === null) return;
    event.preventDefault();
    choose(to);
  };
  const onClick = ({ target }: MouseEvent): void => {
    const cell = (target as Element).closest<HTMLElement>("[data-column]");
    const record = Number(cell?.parentElement?.dataset["record"] ?? Number.NaN);
    const row = rows.findIndex((one) => one.record === record);
    const column = columns.findIndex(({ index }) => index === Number(cell?.dataset["column"]));
    if (row >= 0 && column >= 0) choose({ row, column });
  };

  const shown = rows.slice(first, first + count).map((row, i) => ({ row, index: first + i }));
  const away = rows[at.row];
  if (away !== undefined && (at.row < first || at.row >= first + count))
    shown.push({ row: away, index: at.row });
  const width = widths.reduce((sum, one) => sum + one, NUMBER_WIDTH);
  return (
    <div
      role="grid"
      class="grid"
      aria-label={`Sheet ${sheet.name}`}
      aria-readonly="true"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      ref={host}
      onScroll={look}
      onKeyDown={onKeyDown}
      onClick={onClick}
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
        {shown.map(({ row, index }) => (
          <GridRow
            key={row.record}
            {...{ row, index, columns, widths }}
            problems={problemsByRecord.value.get(row.record) ?? []}
            chosenColumn={index === at.row ? (columns[at.column]?.index ?? null) : null}
            mark={marks.value.get(row.record) ?? null}
            isDimmed={row.graph !== null && row.graph !== graph.value?.name}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadView {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly children: ComponentChildren;
}

function Head({ columns, widths, children }: HeadView) {
  return (
    <div role="row" class="heads" aria-rowindex={1}>
      <div role="columnheader" class="number" aria-colindex={1}>
        #
      </div>
      {columns.map(({ name, header, isNode, index }, i) => (
        <div
          key={index}
          role="columnheader"
          class={isNode ? "headcell pinned" : "headcell"}
          aria-colindex={i + 2}
          title={header}
          style={{ width: `${widths[i]}px` }}
        >
          {name}
        </div>
      ))}
      {children}
    </div>
  );
}

/** Columns that no row fills are folded; the graph's is shown when there are several. */
function shownColumns({ columns, graphs }: Opened, isWhole: boolean) {
  const wanted = columns.filter(({ isGraph }) => !isGraph || graphs.length !== 1);
  const filled = wanted.filter(({ isFilled, isNode }) => isFilled || isNode);
  return { columns: isWhole ? wanted : filled, folded: wanted.length - filled.length };
}

function cursorOf(rows: readonly TableRow[], columns: readonly Column[]): Cursor {
  const row = rows.findIndex(({ record }) => record === chosen.value?.record);
  const column = columns.findIndex(({ index }) => index === chosen.value?.column);
  return { row: Math.max(0, row), column: Math.max(0, column) };
}

/** Scrolls only as far as needed. */
function bringIntoView(host: HTMLElement, { row, column }: Cursor, widths: readonly number[]): void {
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

function focusCell(host: HTMLElement | null, record: number): void {
  host
    ?.querySelector<HTMLElement>(`[data-record="${record}"] [role="gridcell"][tabindex="0"]`)
    ?.focus({ preventScroll: true });
}
