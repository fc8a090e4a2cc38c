import { useEffect, useState } from "preact/hooks";
import { engine } from "../connection/present.js";
import { settledText } from "../editing/sheet-editing.js";
import { withPlainEnds } from "../editing/text/line-ends.js";
import type { Offered } from "../engine/messages.js";
import { opened } from "../state.js";
import { type FieldView, fieldId, Labelled, useCellField } from "./row-field.js";

/** The prompt: a large field, its placeholders coloured, and the fields that it may name. */
export function PromptField(view: FieldView) {
  const { row, column, isReadOnly } = view;
  const before = withPlainEnds(row.cells[column.index] ?? "");
  const [text, setText] = useState(before);
  const { field, begin, keep } = useCellField(view);
  const fields = useFields(view);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(before);
  }, [before]);
  const insert = (name: string): void => {
    const { current } = field;
    if (current === null) return;
    current.focus();
    current.setRangeText(`{${name}}`, current.selectionStart, current.selectionEnd, "end");
    setText(current.value);
  };
  return (
    <Labelled view={view}>
      <div class="prompt-field">
        <div class="prompt-text" aria-hidden="true">
          {coloured(text)}
        </div>
        <textarea
          id={fieldId(view)}
          ref={field}
          readOnly={isReadOnly}
          aria-describedby={`${fieldId(view)}-said`}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onFocus={begin}
          onBlur={keep}
        />
      </div>
      {fields.length === 0 || isReadOnly ? null : (
        <fieldset class="pick" aria-label="Fields to put into the prompt">
          {fields.map(({ label, detail }) => (
            <button
              key={label}
              type="button"
              title={detail}
              // The field keeps the focus, and its place.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => insert(label)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      )}
    </Labelled>
  );
}

/** Two braces are one as text. */
const PLACEHOLDERS = /(\{\{|\}\}|\{[^{}\n]*\})/;

/** The text with its placeholders marked; a last line without letters has its height, too. */
const coloured = (text: string) =>
  `${text}\u200b`
    .split(PLACEHOLDERS)
    .map((part, i) => (/^\{[^{]/.test(part) ? <mark key={i}>{part}</mark> : part));

/** The fields that a placeholder of the row may name, as the compiler offers them. */
function useFields({ row, column }: FieldView): readonly Offered[] {
  const [fields, setFields] = useState<readonly Offered[]>([]);
  const graphs = opened.value?.graphs;
  useEffect(() => {
    let isOver = false;
    const written = { made: [], record: row.record, column: column.index, text: "{", caret: 1 };
    void settledText()
      .then(() => engine.ask({ kind: "judge", written }))
      .then(({ offers }) => {
        if (!isOver) setFields(offers.filter(({ kind }) => kind === "field" || kind === "run-value"));
      });
    return () => {
      isOver = true;
    };
  }, [row.record, graphs]);
  return fields;
}
