import { signal } from "@preact/signals";
import { counted } from "../counted.js";
import { oneLine } from "../sheet/shown-text.js";
import { opened, place } from "../state.js";
import { ConflictChoice } from "./conflict-choice.js";
import { askToSave } from "./review/review-state.js";
import { conflicts, isReviewed, notice, saveState, whyReadOnly, writeAgain } from "./sheet-editing.js";

const listIsOpen = signal(false);

/** Whether the disk has what is shown, and what others have changed at the same time. */
export function SaveStateLine() {
  const sheet = opened.value;
  if (sheet === null || place.value.sheet !== sheet.name) return null;
  const count = conflicts.value.length;
  return (
    <span class="save-state">
      {whyReadOnly.value === null ? <SaveWords name={sheet.name} /> : <ReadOnly why={whyReadOnly.value} />}
      {count === 0 ? null : (
        <button
          type="button"
          class="chip conflict"
          aria-expanded={listIsOpen.value}
          onClick={() => {
            listIsOpen.value = !listIsOpen.value;
          }}
        >
          {counted(count, "conflict")}
        </button>
      )}
      {count > 0 && listIsOpen.value ? <ConflictList /> : null}
      <output class="notice" title={notice.value}>
        {oneLine(notice.value)}
      </output>
    </span>
  );
}

function SaveWords({ name }: { readonly name: string }) {
  const state = saveState.value;
  if (state.kind === "gone")
    return (
      <>
        <output class="said error">{name} is gone from the disk.</output>
        <button type="button" onClick={() => void writeAgain()}>
          Write it again
        </button>
      </>
    );
  if (state.kind === "draft" || (state.kind === "unsaved" && isReviewed.value))
    return (
      <>
        <output class={state.kind === "draft" ? "quiet" : "said error"}>
          {state.kind === "draft" ? "Not saved yet" : `Not saved: ${state.why}`}
        </output>
        <button type="button" onClick={askToSave}>
          Save
        </button>
      </>
    );
  if (state.kind === "unsaved")
    return <output class="said error">Not saved: {state.why} · trying again</output>;
  return <output class="quiet">{state.kind === "saved" ? "✓ Saved" : "Saving"}</output>;
}

const ReadOnly = ({ why }: { readonly why: string }) => (
  <span class="quiet" title={why}>
    Read only: {why}
  </span>
);

function ConflictList() {
  return (
    <section class="conflicts" aria-label="Conflicts">
      {conflicts.value.map((conflict) => (
        <ConflictChoice key={conflict.id} conflict={conflict} />
      ))}
    </section>
  );
}
