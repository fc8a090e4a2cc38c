import { type Hover, MarkupKind } from "vscode-languageserver/node";
import { hover } from "../../../compiler/service/hover.js";
import { offsetOf, rangeOf } from "../open/places.js";
import type { Asked } from "../requests.js";
import type { Client } from "../wire/client.js";
import { positionIn } from "../wire/wanted.js";

/** What is known of the name under the caret. */
export function hovered({ file, view }: Asked, params: unknown, { can }: Client): Hover | null {
  const found = hover(view, offsetOf(file.document, positionIn(params)));
  if (found === null) return null;
  const formats = can.textDocument?.hover?.contentFormat;
  const kind =
    formats === undefined || formats.includes(MarkupKind.Markdown)
      ? MarkupKind.Markdown
      : MarkupKind.PlainText;
  return { contents: { kind, value: found.markdown }, range: rangeOf(file.document, found.range) };
}
