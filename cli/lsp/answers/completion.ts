import { type CompletionItem, CompletionItemKind, type CompletionList } from "vscode-languageserver/node";
import { complete, MOST_COMPLETIONS } from "../../../compiler/service/complete/complete.js";
import type { Completion, CompletionKind } from "../../../compiler/service/complete/completion.js";
import { editOf, lineStart, offsetOf } from "../open/places.js";
import type { Asked } from "../requests.js";
import { positionIn } from "../wire/wanted.js";

const KINDS: { readonly [kind in CompletionKind]: CompletionItemKind } = {
  graph: CompletionItemKind.Module,
  node: CompletionItemKind.Function,
  end: CompletionItemKind.Keyword,
  agent: CompletionItemKind.Class,
  field: CompletionItemKind.Field,
  "run-value": CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  setting: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  type: CompletionItemKind.TypeParameter,
  column: CompletionItemKind.Struct,
};

/** What may be written at the caret; each item is one edit, with the quotes that its cell needs. */
export function completions({ file, view }: Asked, params: unknown): CompletionList {
  const { document } = file;
  const offset = offsetOf(document, positionIn(params));
  const found = complete(view, offset);
  const line = lineStart(document, offset);
  const items = found.flatMap((one) => {
    const edit = onLine(one, view.text, line);
    return edit === null ? [] : [itemOf(one, editOf(document, edit))];
  });
  return { isIncomplete: found.length >= MOST_COMPLETIONS, items };
}

const itemOf = (one: Completion, textEdit: CompletionItem["textEdit"] & object): CompletionItem => ({
  label: one.label,
  kind: KINDS[one.kind],
  filterText: one.filter,
  sortText: one.sort,
  textEdit,
  ...(one.detail === "" ? {} : { detail: one.detail }),
  ...(one.documentation === "" ? {} : { documentation: one.documentation }),
});

/**
 * The protocol allows only edits of the caret's line. In a cell of several lines what an edit leaves alone before that
 * line is cut off; null when it would change the lines before.
 */
function onLine({ edit: { range, text } }: Completion, whole: string, line: number) {
  const { start, end } = range;
  if (start >= line) return { start, end, text };
  const kept = line - start;
  return whole.slice(start, line) === text.slice(0, kept)
    ? { start: line, end, text: text.slice(kept) }
    : null;
}
