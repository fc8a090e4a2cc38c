import { useLayoutEffect, useRef } from "preact/hooks";
import { chooseNode } from "../choose.js";
import { edit, editsMade, notice, shownRecords, whyReadOnly } from "../editing/sheet-editing.js";
import { removalOf } from "../editing/text/row-edits.js";
import type { Column, TableRow } from "../engine/messages.js";
import { chordOf } from "../shell/chord.js";
import { chosen, chosenRow, opened } from "../state.js";
import { PromptField } from "./prompt-field.js";
import { RowField } from "./row-field.js";
import { rowPanelIsOpen } from "./row-panel-state.js";

/** All cells of the chosen row as a form, beside the rows. */
export function RowPanel() {
  const sheet = opened.value;
  const row = chosenRow.value;
  const host = useRef<HTMLElement>(null);
  const isOpen = rowPanelIsOpen.value && sheet !== null;
  useLayoutEffect(() => {
    const field =
      row === null ? null : document.getElementById(`field-${row.record}-${chosen.value?.column}`);
    if (isOpen) (field ?? host.current?.querySelector<HTMLElement>("textarea, button"))?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const close = (): void => {
    rowPanelIsOpen.value = false;
    document
      .querySelector<HTMLElement>('[role="gridcell"][tabindex="0"], .row-line[aria-current="true"]')
      ?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.target instanceof HTMLTextAreaElement && RUNS.test(chordOf(event))) void keepText(event.target);
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  };
  return (
    <section class="row-panel" aria-label="Row" data-stop ref={host} onKeyDown={onKeyDown}>
      <div class="row-head">
        <h2>{row?.node ?? "No row is chosen"}</h2>
        <span class="grow" />
        <Step row={row} by={-1} title="Row before" sign="↑" />
        <Step row={row} by={1} title="Next row" sign="↓" />
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
      </div>
      {row === null || row.node === null ? (
        <p class="nothing">Choose a row of a node.</p>
      ) : (
        <div class="row-fields" key={`${row.graph} ${row.record}`}>
          {inOrder(sheet.columns).map((column) =>
            column.name === "Prompt" ? (
              <PromptField
                key={column.index}
                row={row}
                column={column}
                isReadOnly={whyReadOnly.value !== null}
              />
            ) : (
              <RowField
                key={column.index}
                row={row}
                column={column}
                isReadOnly={whyReadOnly.value !== null}
              />
            ),
          )}
          {whyReadOnly.value === null ? (
            <p class="row-foot">
              <button type="button" onClick={() => remove(row.record, close)}>
                Remove this row
              </button>
            </p>
          ) : null}
        </div>
      )}
    </section>
  );
}

/** The keys that run the graph mean it with what was typed. */
const RUNS = /^(?:Ctrl\+Enter|F10)$/;

/** A field keeps its text when it is left. It is come back to when a new name stands wherever it is mentioned. */
async function keepText(field: HTMLTextAreaElement): Promise<void> {
  field.blur();
  await editsMade();
  if (document.activeElement === document.body) field.focus({ preventScroll: true });
}

function remove(record: number, close: () => void): void {
  const records = shownRecords();
  if (records === null || !edit(removalOf(records, [record]))) return;
  notice.value = "1 row removed.";
  close();
}

/** The node and its prompt, then all others in the file's order. */
function inOrder(columns: readonly Column[]): readonly Column[] {
  const rank = ({ isNode, name }: Column): number => (isNode ? 0 : name === "Prompt" ? 1 : 2);
  return [...columns].sort((a, b) => rank(a) - rank(b));
}

interface StepView {
  readonly row: TableRow | null;
  readonly by: 1 | -1;
  readonly title: string;
  readonly sign: string;
}

function Step({ row, by, title, sign }: StepView) {
  const rows = (opened.value?.rows ?? []).filter(({ node }) => node !== null);
  const next = rows[rows.findIndex(({ record }) => record === row?.record) + by];
  return (
    <button
      type="button"
      class="plain"
      aria-label={title}
      disabled={row === null || next === undefined}
      onClick={() => {
        if (next !== undefined) chooseNode(next.record);
      }}
    >
      {sign}
    </button>
  );
}
