import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { chooseNode } from "../choose.js";
import { insertBelow } from "../editing/block-actions.js";
import { shownRecords, whyReadOnly } from "../editing/sheet-editing.js";
import type { TableRow } from "../engine/messages.js";
import { marks } from "../run/run-state.js";
import { oneLine } from "../sheet/shown-text.js";
import { chosen, graph, opened, problemsByRecord } from "../state.js";
import { rowPanelIsOpen } from "./row-panel-state.js";

const small = matchMedia("(max-width: 480px)");

/** Too narrow for a table: rows are lines of a list then, each of which opens as a form. */
export const isNarrow = signal(small.matches);
small.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});

/** Lines that are shown at once. */
const PART = 200;

/** The rows of the graph that is looked at, each with its agent and what is wrong with it. */
export function RowList() {
  const [parts, setParts] = useState(1);
  const rows = (opened.value?.rows ?? []).filter(
    (row) => row.node !== null && row.graph === graph.value?.name,
  );
  const at = rows.findIndex(({ record }) => record === chosen.value?.record);
  const count = Math.max(parts, Math.ceil((at + 1) / PART)) * PART;
  return (
    <div class="row-list">
      <ol>
        {rows.slice(0, count).map((row) => (
          <li key={row.record}>
            <RowLine row={row} />
          </li>
        ))}
      </ol>
      {rows.length > count ? (
        <button type="button" onClick={() => setParts(count / PART + 1)}>
          Show more rows
        </button>
      ) : null}
      {whyReadOnly.value === null ? (
        <button type="button" onClick={addStep}>
          New step
        </button>
      ) : null}
    </div>
  );
}

/** A row behind the last one of the graph, opened as a form. */
function addStep(): void {
  if (insertBelow(shownRecords()?.count ?? 0) !== null) rowPanelIsOpen.value = true;
}

function RowLine({ row }: { readonly row: TableRow }) {
  const mark = marks.value.get(row.record) ?? null;
  const agent = graph.value?.nodes.find(({ record }) => record === row.record)?.agent ?? "";
  const problem = problemsByRecord.value.get(row.record)?.[0];
  const open = (): void => {
    chooseNode(row.record);
    rowPanelIsOpen.value = true;
  };
  return (
    <button
      type="button"
      class="row-line"
      data-mark={mark}
      aria-current={row.record === chosen.value?.record}
      onClick={open}
    >
      <b>{oneLine(row.node ?? "")}</b>
      <span class="quiet">
        {oneLine(agent)}
        {mark === null ? "" : ` · ${mark}`}
      </span>
      {problem === undefined ? null : (
        <span class={`said ${problem.severity}`}>
          {problem.severity === "error" ? "✕" : "!"} {problem.message}
        </span>
      )}
    </button>
  );
}
