import { useMemo, useState } from "preact/hooks";
import { counted } from "../../counted.js";
import { manyLines, oneLine } from "../../sheet/shown-text.js";
import { Dialog } from "../../shell/dialog.js";
import { opened } from "../../state.js";
import { beforeAndAfter, conflicts, discardDraft, saveReviewed, saveState } from "../sheet-editing.js";
import { Brought } from "./brought.js";
import { type ChangedCell, type ChangedRow, changedRows } from "./changed-rows.js";
import { reviewIsOpen } from "./review-state.js";

/** So many rows are shown. */
const MOST_ROWS = 200;

const close = (): void => {
  reviewIsOpen.value = false;
};

/** What would be written, old above new, before anything is. */
export function Review() {
  return (
    <Dialog label="Save" kind="review" closed={close}>
      <ReviewOf name={opened.value?.name ?? ""} />
    </Dialog>
  );
}

function ReviewOf({ name }: { readonly name: string }) {
  const [isSaving, setSaving] = useState(false);
  const sheet = opened.value;
  const rows = useMemo(() => {
    const both = beforeAndAfter();
    return both === null ? [] : changedRows(...both);
  }, [sheet]);
  const save = async (): Promise<void> => {
    if (isSaving) return;
    setSaving(true);
    const isDone = await saveReviewed();
    setSaving(false);
    if (isDone) close();
  };
  const open = conflicts.value.length;
  return (
    <>
      <div class="review-head">
        <h2>Save {oneLine(name)}</h2>
        <p class="quiet">
          {rows.length === 0
            ? "Nothing is to be written."
            : `${counted(rows.length, "row")} will be written. Nothing is yet.`}
          {open === 0 ? "" : ` ${counted(open, "conflict")} will stay as on the disk until you decide.`}
        </p>
        <Brought />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys, too. */}
      <section class="review-rows" aria-label="Changed rows" tabIndex={0}>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <RowOf key={`${row.kind} ${row.record}`} row={row} />
        ))}
        {rows.length > MOST_ROWS ? <p class="quiet">And {rows.length - MOST_ROWS} more.</p> : null}
      </section>
      <div class="options review-foot">
        <button type="button" class="primary" disabled={rows.length === 0 || isSaving} onClick={save}>
          Save {counted(rows.length, "row")}
        </button>
        <button type="button" onClick={close}>
          Go on editing
        </button>
        <span class="grow" />
        <button
          type="button"
          disabled={isSaving}
          onClick={() => {
            if (discardDraft()) close();
          }}
        >
          Discard all
        </button>
        <output class="said error">
          {saveState.value.kind === "unsaved" ? `Not saved: ${saveState.value.why}.` : ""}
        </output>
      </div>
    </>
  );
}

const WORDS = { new: "new", removed: "removed", changed: "changed" } as const;

function RowOf({ row }: { readonly row: ChangedRow }) {
  const { kind, record, name, cells, isMoved } = row;
  const word = isMoved ? (cells.length === 0 ? "moved" : "moved and changed") : WORDS[kind];
  return (
    <article class={`review-row ${kind}`} aria-label={`${name ?? "Row"} ${word}`}>
      <h3>
        {name === null ? `Row ${record + 1}` : oneLine(name)} <span class="quiet">{word}</span>
      </h3>
      <dl>
        {cells.map((cell) => (
          <CellOf key={cell.column} cell={cell} isWhole={name === null} />
        ))}
      </dl>
    </article>
  );
}

function CellOf({ cell, isWhole }: { readonly cell: ChangedCell; readonly isWhole: boolean }) {
  const { column, before, after } = cell;
  const title = opened.value?.columns.find(({ index }) => index === column)?.name ?? `Column ${column + 1}`;
  return (
    <div>
      <dt>{isWhole ? "Line" : title}</dt>
      <dd>
        {before === "" ? null : (
          <del>
            <span class="unseen">before: </span>
            {manyLines(before)}
          </del>
        )}
        {after === "" ? null : (
          <ins>
            <span class="unseen">after: </span>
            {manyLines(after)}
          </ins>
        )}
        {after === "" && before !== "" ? <span class="quiet">then empty</span> : null}
      </dd>
    </div>
  );
}
