import { ConflictChoice } from "../editing/conflict-choice.js";
import { conflictOf } from "../editing/sheet-editing.js";
import { chosen, chosenColumn, chosenRow, problemsByRecord } from "../state.js";
import { manyLines, sentence } from "./shown-text.js";

/** The chosen cell's whole text, and what is wrong with it. */
export function ChosenCell() {
  const [row, column] = [chosenRow.value, chosenColumn.value];
  if (row === null || column === null) return null;
  const problems = (problemsByRecord.value.get(row.record) ?? []).filter(
    ({ span }) => span?.column === chosen.value?.column,
  );
  const conflict = conflictOf(row, column.index);
  const text = row.isComment ? row.cells.join(", ") : (conflict?.text ?? row.cells[column.index] ?? "");
  const name = row.isComment
    ? "Comment"
    : `${column.name}${row.node === null || column.isNode ? "" : ` of ${row.node}`}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys.
    <section class="chosen-cell" aria-label="Chosen cell" tabIndex={0}>
      <p class="quiet">{name}</p>
      <p class="whole">{text === "" ? <span class="quiet">empty</span> : manyLines(text)}</p>
      {conflict === null ? null : <ConflictChoice conflict={conflict.conflict} />}
      {problems.map(({ code, severity, message, label, help }) => (
        <p key={code + message} class={`said ${severity}`}>
          <b>{severity === "error" ? "Error" : "Warning"}:</b> {message}.{" "}
          <span class="quiet">{sentence(label ?? help)}</span>
        </p>
      ))}
    </section>
  );
}
