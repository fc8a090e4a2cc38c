import { manyLines } from "../sheet/shown-text.js";
import { opened } from "../state.js";
import { settle, shownRecords } from "./sheet-editing.js";
import { type Choice, type Conflict, choicesOf } from "./text/conflicts.js";

const WORDS: { readonly [C in Choice]: string } = { yours: "Yours", disk: "On disk", both: "Both" };

/** One conflict: both texts, and what may become of them. */
export function ConflictChoice({ conflict }: { readonly conflict: Conflict }) {
  const records = shownRecords();
  if (records === null) return null;
  const { id, now } = conflict;
  return (
    <div class="conflict-choice">
      <p>
        <b>{titleOf(conflict)}</b>
      </p>
      <dl>
        <div>
          <dt>Yours</dt>
          <dd>{shown(ownText(conflict))}</dd>
        </div>
        <div>
          <dt>On disk</dt>
          <dd>
            {now === null ? <span class="quiet">the row is gone, or several have its name</span> : shown(now)}
          </dd>
        </div>
      </dl>
      <div class="options">
        {choicesOf(conflict, records).map((choice) => (
          <button key={choice} type="button" onClick={() => void settle(id, choice)}>
            {WORDS[choice]}
          </button>
        ))}
      </div>
    </div>
  );
}

const shown = (text: string) => (text === "" ? <span class="quiet">empty</span> : manyLines(text));

/** As the grid calls a column. */
function columnTitle(name: string): string {
  const index = shownRecords()?.columnOf(name);
  return opened.value?.columns.find((column) => column.index === index)?.name ?? name;
}

function titleOf({ edit }: Conflict): string {
  switch (edit.op) {
    case "set":
      return `${columnTitle(edit.column)} of ${edit.node} was changed elsewhere, too`;
    case "insert":
      return `Another row is called ${edit.cells["node_name"] ?? ""}`;
    case "remove":
      return `${edit.node} was changed elsewhere before it was removed here`;
    case "move":
      return `${edit.node} could not be moved`;
    case "raw":
      return `Row ${edit.record + 1} was changed elsewhere, too`;
  }
}

function ownText({ edit }: Conflict): string {
  if (edit.op === "set" || edit.op === "raw") return edit.to;
  if (edit.op === "insert")
    return Object.values(edit.cells)
      .filter((cell) => cell !== "")
      .join(", ");
  return edit.op === "remove" ? "removed" : "moved";
}
