import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { commitCell } from "../editing/commit.js";
import { editorOf, type OpenEditor } from "../editing/open-editor.js";
import { withPlainEnds } from "../editing/text/line-ends.js";
import type { Column, TableRow } from "../engine/messages.js";
import { sentence } from "../sheet/shown-text.js";
import { problemsByRecord } from "../state.js";

export interface FieldView {
  readonly row: TableRow;
  readonly column: Column;
  readonly isReadOnly: boolean;
}

export const fieldId = ({ row, column }: Pick<FieldView, "row" | "column">): string =>
  `field-${row.record}-${column.index}`;

/** A field that holds a cell: what is typed is kept when the field is left. */
export function useCellField({ row, column }: FieldView): {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly begin: () => void;
  readonly keep: () => void;
} {
  const field = useRef<HTMLTextAreaElement>(null);
  const begun = useRef<OpenEditor | null>(null);
  const text = withPlainEnds(row.cells[column.index] ?? "");
  useLayoutEffect(() => {
    const { current } = field;
    // What is being written is not taken away by what others write.
    if (current !== null && (document.activeElement !== current || begun.current === null))
      current.value = text;
  }, [text]);
  return {
    field,
    begin: () => {
      begun.current = editorOf(row.record, column.index);
    },
    keep: () => {
      const editor = begun.current;
      begun.current = null;
      if (editor === null || field.current === null) return;
      commitCell(editor, field.current.value);
    },
  };
}

export function RowField(view: FieldView) {
  const { column, isReadOnly } = view;
  const { field, begin, keep } = useCellField(view);
  return (
    <Labelled view={view}>
      <textarea
        id={fieldId(view)}
        ref={field}
        rows={1}
        readOnly={isReadOnly}
        spellcheck={column.name === "Description"}
        aria-describedby={`${fieldId(view)}-said`}
        onFocus={begin}
        onBlur={keep}
      />
    </Labelled>
  );
}

/** A field with its column's name above, and what is wrong with it below. */
export function Labelled({
  view,
  children,
}: {
  readonly view: FieldView;
  readonly children: ComponentChildren;
}) {
  const { row, column } = view;
  const problems = (problemsByRecord.value.get(row.record) ?? []).filter(
    ({ span }) => span?.column === column.index,
  );
  return (
    <div class="row-field">
      <label for={fieldId(view)}>{column.name}</label>
      {children}
      <div id={`${fieldId(view)}-said`}>
        {problems.map(({ id, severity, message, label, help }) => (
          <p key={id} class={`said ${severity}`}>
            {message}. <span class="quiet">{sentence(label ?? help)}</span>
          </p>
        ))}
      </div>
    </div>
  );
}
